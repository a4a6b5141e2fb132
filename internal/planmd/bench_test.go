package planmd

import (
	"fmt"
	"strings"
	"testing"
)

// benchmarkREADME has n Lite tasks with full records.
func benchmarkREADME(n int) []byte {
	var b strings.Builder
	b.WriteString("# Weather relay\n\n**Standard:** DWP spec 5.0.0\n**Approval:** approved\n\n## Goal\n\nRelay forecasts to the buses.\n\n## Task List\n\n")
	for i := range n {
		fmt.Fprintf(&b, "- [x] Task %d: Read feed %d\n", i+1, i+1)
	}
	fmt.Fprintf(&b, "\nPlan Status: %d/%d completed\n", n, n)
	for i := range n {
		fmt.Fprintf(&b, "\n## Task %d: Read feed %d {#task-%d}\n\n### Context\n\nThe feed of line %d is in `feed/`, see <!-- x --> the [docs](docs/a.md).\n\n### Goal\n\nRead it.\n\n"+
			"### Touched Surface\n\n- **Planned:** `feed/`\n- Actual: `feed/`\n- Risk class: isolated\n- Gate: unit tests\n\n### Instructions\n\n1. Re-anchor.\n2. Make the change.\n   - with tests\n\n"+
			"### Acceptance Criteria\n\n- [x] parsed\n- [x] logged\n\n### Validation\n\n```sh\ngo test ./feed\n```\n\n### Completion & Log\n\n- **Status:** completed\n- **Skills disposition:** none\n- Summary: all read\n", i+1, i+1, i+1, i+1)
	}
	return []byte(b.String())
}

func BenchmarkReadREADME(b *testing.B) {
	for _, n := range []int{20, 1000} {
		src := benchmarkREADME(n)
		b.Run(fmt.Sprintf("%dtasks", n), func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				if r := ReadREADME(src); len(r.Records) != n || len(r.Index) != n {
					b.Fatalf("%d records, %d lines", len(r.Records), len(r.Index))
				}
			}
		})
	}
}

func BenchmarkReadTask(b *testing.B) {
	src := []byte(strings.Replace(string(benchmarkREADME(1)[strings.Index(string(benchmarkREADME(1)), "## Task 1"):]), " {#task-1}", "", 1))
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if r := ReadTask(src); r.ID != 1 || r.Section(Validation) == nil {
			b.Fatalf("%+v", r.Record)
		}
	}
}
