package planmd

// ReadREADME reads a README.md. It never fails: what can't be understood is absent from the
// result, and faults of structure are in Doc.Problems.
func ReadREADME(src []byte) *README { return readREADME(src) }

// ReadTask reads a task file.
func ReadTask(src []byte) *TaskFile { return readTask(src) }

// ReadProgress reads a PROGRESS.md.
func ReadProgress(src []byte) *Progress { return readProgress(src) }

// ReadReview reads a SECURITY_REVIEW.md.
func ReadReview(src []byte) *Review { return readReview(src) }

// ReadCandidates reads a SKILLS_CANDIDATES.md.
func ReadCandidates(src []byte) *Candidates { return readCandidates(src) }
