package planmd

// This file holds the questions the readers ask about words; the words themselves are data,
// one table per question in words_*.go, one row per language (PD-11). A new wording or a
// new language is a new row. What is searched is the folded and sorted form of the rows in words_folded.go, made by
//
//	go test ./internal/planmd -run TestFoldedTables -update
//
// since folding two thousand words at each start took longer than everything else (DESIGN 9).

// row is one line of a word table: what the words mean, their language (BCP 47), and the
// words as people write them, separated by "|". Case, accents, numbering and markup don't matter here.
type row[K ~string] struct {
	kind  K
	lang  string
	words string
}

// sectionKind names the section that a heading or label stands for, in any of the languages of
// PD-11; Other when none. The label comes as written: numbering, markup, colon, emoji and case are dropped here.
// A qualifier after the name is allowed: "Goal & Scope", "Plan Status / Notes".
func sectionKind(label string) SectionKind { return sections.find(label) }

// fieldKind names what a labelled line is about (PD-4, PD-6, PD-8, AM-1); FieldOther when nobody asked.
func fieldKind(label string) FieldKind { return fields.find(label) }

// logState reads the value of a status line: the first state word decides, so that later prose
// can't ("completed (was pending review)", C109). A denied or coming completion is pending.
func logState(value string) LogState {
	text := foldValue(value)
	if text == "" {
		return LogNone
	}
	for _, hit := range states.all(text) {
		switch hit.mood {
		case denied:
			// "Not blocked" and "not pending" say nothing about what the state is.
			if hit.kind == LogCompleted || hit.kind == LogInProgress {
				return LogPending
			}
		case partial:
			if hit.kind == LogCompleted {
				return LogInProgress
			}
			return hit.kind
		default:
			return hit.kind
		}
	}
	return LogOther
}

// approvalValue reads the value of an Approval line as one of the Approval constants (PS-8).
// A denied, partial or relayed approval adds no authority: pending (UN-6).
func approvalValue(value string) string {
	hits := approvals.all(foldValue(value))
	if len(hits) == 0 {
		return ApprovalOther
	}
	for _, hit := range hits {
		if hit.kind == approvalRelayed {
			return ApprovalPending
		}
	}
	for _, hit := range hits {
		if hit.mood == plain {
			return hit.kind
		}
		if hit.kind != ApprovalPending {
			return ApprovalPending
		}
	}
	return ApprovalOther
}

// riskClass reads a risk class (PD-6): "isolated", "seam", "shared", "unknown", "not-applicable", or "".
// A value that still lists three or more classes is the template's choice, not an answer.
func riskClass(value string) string {
	class, seen := "", map[string]bool{}
	for _, hit := range risks.all(foldValue(value)) {
		if hit.mood == denied {
			continue
		}
		if class == "" {
			class = hit.kind
		}
		seen[hit.kind] = true
	}
	if len(seen) > 2 {
		return ""
	}
	return class
}

// taskWord reports whether a word before a number means "Task": "Task", "Tarefa", "Tarea", a Thai or Chinese word.
func taskWord(word string) bool { return taskWords.exact(word) != "" }

// completedWord reports whether a text near a count X/N speaks of completed tasks.
func completedWord(text string) bool {
	for _, hit := range doneWords.all(foldValue(text)) {
		if hit.mood == plain {
			return true
		}
	}
	return false
}
