package planmd

import "testing"

// FuzzRecordEdit: what is written into the lines and sections of a task's record, whatever that is, touches its own bytes only (DESIGN 1,
// PD-8).
func FuzzRecordEdit(f *testing.F) {
	for _, s := range append(seeds, "# T\n\n**Status:**\n## Completion & Log\n**Status:** pending  \n", "## Completion & Log\r\n\r\n| Status | pending |\r\n") {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		task := ReadTask(src)
		try := func(change func(*Edit)) {
			t.Helper()
			e := NewEdit(&task.Doc)
			change(e)
			got, err := e.Bytes()
			if err != nil {
				t.Fatalf("%v in %q", err, src)
			}
			own(t, e, src, got)
		}
		for i := range task.Sections {
			section := &task.Sections[i]
			try(func(e *Edit) { e.AppendTo(section.Body, "- said") })
			for k := range section.Fields {
				field := &section.Fields[k]
				try(func(e *Edit) { e.SetField(field, "said") })
				try(func(e *Edit) { e.FillField(field, "said") })
				try(func(e *Edit) { e.AddLines(field.Span, task.Like(field, "Date", "today")) })
			}
		}
	})
}
