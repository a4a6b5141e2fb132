package update_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/strictjson"
	"github.com/deepworkplan/dwp/internal/update"
)

// large is a plan of 500 tasks whose state.json has about size bytes of gate records, each with evidence of its own (C167).
func large(b *testing.B, size int) *fixture {
	const tasks = 500
	f := tides(strings.Repeat("c", tasks-2) + "ip")
	src := f.files["state.json"].Data
	each := size / tasks / 480
	n := 0
	for range tasks - 2 {
		var records bytes.Buffer
		for g := range each {
			n++
			fmt.Fprintf(&records, `{"command": "make chart-%d", "passes": true, "exit_code": 0, "last_run": "2026-09-01T09:50:00Z", "evidence": "%s; 8 passed in run %d"}, `,
				g, strings.Repeat("bay charted by the hour, ", 13), n)
		}
		src = bytes.Replace(src, []byte(`"gates": [{"command": "make chart",`), append([]byte(`"gates": [`+records.String()), `{"command":  "make chart",`...), 1)
	}
	f.files["state.json"].Data = src
	return f
}

// BenchmarkNext measures one change of a 500-task, 5 MB state, beside the bare parse and print of the same bytes (C167): Next adds to
// one parse, which is the snapshot's, one check of the whole and one print.
func BenchmarkNext(b *testing.B) {
	f := large(b, 5<<20)
	src := f.files["state.json"].Data
	s := f.read(b)
	ch := update.Change{Task: 499, Status: state.Completed, Gates: []update.Gate{pass("make chart")}, Agent: "bo"}
	b.Run("next", func(b *testing.B) {
		b.SetBytes(int64(len(src)))
		for b.Loop() {
			if _, refusal := update.Next(s, ch, now); refusal != nil {
				b.Fatal(refusal)
			}
		}
	})
	b.Run("read-and-next", func(b *testing.B) {
		b.SetBytes(int64(len(src)))
		for b.Loop() {
			if _, refusal := update.Next(f.read(b), ch, now); refusal != nil {
				b.Fatal(refusal)
			}
		}
	})
	b.Run("bare-parse", func(b *testing.B) {
		b.SetBytes(int64(len(src)))
		for b.Loop() {
			if _, err := strictjson.Parse(src); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("bare-print", func(b *testing.B) {
		b.SetBytes(int64(len(src)))
		for b.Loop() {
			strictjson.Format(s.State.Doc.Root)
		}
	})
}
