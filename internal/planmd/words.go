package planmd

// sectionKind names the section that a heading or label stands for, in any of the languages of
// PD-11; Other when none. The label comes as written: numbering, markup, colon, emoji and case are dropped here.
func sectionKind(label string) SectionKind { return Other }

// fieldKind names what a labelled line is about.
func fieldKind(label string) FieldKind { return FieldOther }

// logState reads the value of a status line.
func logState(value string) LogState { return LogNone }

// approvalValue reads the value of an Approval line as one of the Approval constants.
func approvalValue(value string) string { return ApprovalOther }

// riskClass reads a risk class (PD-6): "isolated", "seam", "shared", "unknown", "not-applicable", or "".
func riskClass(value string) string { return "" }

// placeholder reports whether a text has no words of its own: white space, "TBD", "N/A" alone, "...",
// "{...}", "TODO" (PD-5). Comments are removed by the caller.
func placeholder(text string) bool { return false }

// taskWord reports whether a word before a number means "Task": "Task", "Tarefa", "Tarea", a Thai or Chinese word.
func taskWord(word string) bool { return false }

// completedWord reports whether a text near a count X/N speaks of completed tasks.
func completedWord(text string) bool { return false }
