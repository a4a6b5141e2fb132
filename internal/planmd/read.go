package planmd

import "slices"

// ReadREADME reads a README.md. It never fails: what can't be understood is absent from the
// result, and faults of structure are in Doc.Problems.
func ReadREADME(src []byte) *README { return readREADME(src) }

// ReadTask reads a task file.
func ReadTask(src []byte) *TaskFile { return readTask(src) }

// HasCode reports whether a document has a code block, fenced or indented (AG-3).
func HasCode(src []byte) bool {
	return slices.ContainsFunc(scan(src).blocks, func(b block) bool { return b.kind == codeBlock })
}

// ReadProgress reads a PROGRESS.md.
func ReadProgress(src []byte) *Progress { return readProgress(src) }

// ReadReview reads a SECURITY_REVIEW.md.
func ReadReview(src []byte) *Review { return readReview(src) }

// ReadCandidates reads a SKILLS_CANDIDATES.md.
func ReadCandidates(src []byte) *Candidates { return readCandidates(src) }
