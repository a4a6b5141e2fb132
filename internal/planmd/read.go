package planmd

// ReadREADME reads a README.md. It never fails: what can't be understood is absent from the
// result, and faults of structure are in Doc.Problems.
func ReadREADME(src []byte) *README { return &README{Doc: Doc{Src: src}} }

// ReadTask reads a task file.
func ReadTask(src []byte) *TaskFile { return &TaskFile{Doc: Doc{Src: src}} }

// ReadProgress reads a PROGRESS.md.
func ReadProgress(src []byte) *Progress { return &Progress{Doc: Doc{Src: src}} }

// ReadReview reads a SECURITY_REVIEW.md.
func ReadReview(src []byte) *Review { return &Review{Doc: Doc{Src: src}} }

// ReadCandidates reads a SKILLS_CANDIDATES.md.
func ReadCandidates(src []byte) *Candidates { return &Candidates{Doc: Doc{Src: src}} }

// Position returns line and column, both from 1, columns in characters, of a byte offset.
func (d *Doc) Position(offset int) (line, column int) { return 1, 1 }

// Text returns the bytes of a span.
func (d *Doc) Text(s Span) string { return string(d.Src[s.Start:s.End]) }
