package publish

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/verify"
)

// growing are the files that may be appended to after a publication: their digest covers the length they had (VP-5).
var growing = map[string]bool{"PROGRESS.md": true, "analysis_results/SKILLS_CANDIDATES.md": true}

// finalize publishes a candidate state (VP-1 to VP-4). s is the folder as it stands, read under the lock. The order of
// steps, each of which can be repeated:
//
//  1. validate the candidate with the whole of verify; before that, the receipt in force, if there is one
//  2. write the marker: candidate, previous state, digests of all covered files
//  3. prepare the receipt: written and flushed beside its place, so that one that can't be written is found now
//  4. read the covered files again: nothing moved since they were validated
//  5. write state.json
//  6. read the folder again and validate it again
//  7. put the receipt in its place
//  8. remove the marker
//
// An error before 2 leaves everything as it was. An error of 2 to 4 takes the marker back when it can. From 5 on
// the marker stays, and recovery goes on from it.
func (p Plan) finalize(lock *disk.Lock, s *plan.Snapshot, candidate []byte) error {
	if err := p.unchanged(s); err != nil {
		return err
	}
	after, err := p.validate(candidate)
	if err != nil {
		return err
	}
	previous, err := fs.ReadFile(p.FS, state.StateFile)
	if err != nil {
		return err
	}
	if state.Digest(previous) != digestOf(s, state.StateFile) {
		return refuse("guard/moved-on", "state.json moved on while it was read")
	}
	m, err := p.newMarker(candidate, previous, after)
	if err == nil {
		err = p.intend(m.CandidateSHA256) // from the marker on, recovery may be who writes it
	}
	if err != nil {
		return err
	}
	if err := disk.WriteFile(p.FS, state.FinalizeMark, m.Bytes(), disk.Options{Guard: p.guard(lock)}); err != nil {
		return errors.Join(err, p.dropMarker(m))
	}
	return p.carryOn(lock, m, p.giveUp)
}

// newMarker is the marker of a publication. after is the plan as it was validated, which holds the candidate.
func (p Plan) newMarker(candidate, previous []byte, after *plan.Snapshot) (*state.Marker, error) {
	files, err := covered(after)
	if err != nil {
		return nil, err
	}
	return &state.Marker{CandidateSHA256: state.Digest(candidate), ArtifactsSHA256: state.ArtifactsDigest(files), Files: files,
		Candidate: string(candidate), Previous: string(previous), StartedAt: p.Now().UTC().Format(time.RFC3339)}, nil
}

// carryOn makes steps 3 to 8 for a marker that stands. giveUp decides what becomes of it when nothing was published yet.
func (p Plan) carryOn(lock *disk.Lock, m *state.Marker, giveUp func(*state.Marker, error) error) error {
	receipt, err := p.prepareReceipt(lock, m)
	if err == nil {
		if err = p.unmoved(m); err != nil {
			err = errors.Join(err, receipt.Discard())
		}
	}
	if err != nil {
		return giveUp(m, err)
	}
	if err := p.placeState(lock, m); err != nil {
		return &Interrupted{errors.Join(err, receipt.Discard())}
	}
	if _, err := p.validate([]byte(m.Candidate)); err != nil {
		return &Interrupted{errors.Join(err, receipt.Discard())}
	}
	if err := receipt.Commit(); err != nil {
		return &Interrupted{err}
	}
	if err := p.demand(state.ReceiptFile, m.Receipt()); err != nil {
		return &Interrupted{err}
	}
	if err := p.dropMarker(m); err != nil {
		return &Interrupted{err}
	}
	return nil
}

// giveUp takes the marker back while state.json still is the previous one: then nothing was published, and the plan is
// as it was. Otherwise the marker stays for recovery.
func (p Plan) giveUp(m *state.Marker, cause error) error {
	now, err := fs.ReadFile(p.FS, state.StateFile)
	if err != nil || string(now) != m.Previous {
		return &Interrupted{errors.Join(cause, err)}
	}
	if moved := (*Moved)(nil); errors.As(cause, &moved) {
		return &Interrupted{cause} // VP-4: a changed artefact in between: no receipt, the marker stays, the file is named
	}
	if err := p.dropMarker(m); err != nil {
		return &Interrupted{errors.Join(cause, err)}
	}
	return fmt.Errorf("%w; nothing was published", cause)
}

func (p Plan) prepareReceipt(lock *disk.Lock, m *state.Marker) (*disk.Prepared, error) {
	if err := disk.MkdirAll(p.FS, path.Dir(state.ReceiptFile)); err != nil {
		return nil, err
	}
	return disk.Prepare(p.FS, state.ReceiptFile, m.Receipt(), disk.Options{Guard: p.guard(lock)})
}

// placeState writes the candidate, unless a publication that was cut off has done so.
func (p Plan) placeState(lock *disk.Lock, m *state.Marker) error {
	now, err := fs.ReadFile(p.FS, state.StateFile)
	if err != nil {
		return err
	}
	if string(now) == m.Candidate {
		return p.FS.SyncDir(".")
	}
	return p.write(lock, []byte(m.Candidate))
}

// validate judges the plan as it would stand with the candidate: conformant, or it is not published (VP-1, VP-6). What is said of the
// receipt of an earlier publication, which never agrees with another state, doesn't count: this publication replaces it.
func (p Plan) validate(candidate []byte) (*plan.Snapshot, error) {
	s, err := plan.Read(overlay{base: p.FS, files: map[string][]byte{state.StateFile: candidate}}, p.Name)
	if err != nil {
		return nil, err
	}
	return p.sound(s)
}

// sound refuses to publish a plan that does not conform as it stands in a snapshot.
func (p Plan) sound(s *plan.Snapshot) (*plan.Snapshot, error) {
	r := verify.Plan(s, verify.Options{Now: p.Now(), InGit: p.InGit})
	findings := slices.DeleteFunc(slices.Clone(r.Findings), func(f rule.Finding) bool { return f.Level != rule.Must || ofReceipt(f.Rule) })
	open := slices.DeleteFunc(slices.Clone(r.Unevaluated), func(u verify.Unevaluated) bool { return ofReceipt(u.Rule) })
	switch {
	case len(findings) > 0:
		refused := refuse("guard/not-conformant", "the plan would not be conformant (%s: %s)", findings[0].Rule, findings[0].Message)
		refused.Findings = findings
		return nil, refused
	case len(open) > 0:
		return nil, &Unverified{open}
	}
	return s, nil
}

// ofReceipt are the rules that compare a receipt with the plan.
func ofReceipt(id string) bool { return id == "receipt/state" || id == "receipt/artefact" }

// covered lists the digests of the files that the receipt covers (VP-5). One that could not be read has none: no rule may be about
// it, but nothing can be proved of it either (VP-6).
func covered(s *plan.Snapshot) ([]state.FileDigest, error) {
	var list []state.FileDigest
	for _, name := range s.Covered() {
		f := s.Files[name]
		if f.Err != nil {
			return nil, &Unverified{[]verify.Unevaluated{{Rule: "layout/unreadable", Reason: fmt.Sprintf("%s can't be read: %v", name, f.Err)}}}
		}
		d := state.FileDigest{Path: name, SHA256: f.SHA256(), Length: -1}
		if growing[name] {
			d.Length = int64(len(f.Data))
		}
		list = append(list, d)
	}
	return list, nil
}

// Moved names the files that changed under a publication (VP-4).
type Moved struct{ Files []string }

func (e *Moved) Error() string {
	return "changed since the plan was validated: " + strings.Join(e.Files, ", ")
}

// unmoved demands that the covered files are those of the marker, and state.json the previous one or the candidate.
func (p Plan) unmoved(m *state.Marker) error {
	var moved []string
	for _, d := range m.Files {
		data, err := fs.ReadFile(p.FS, d.Path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if d.Length >= 0 && int64(len(data)) >= d.Length {
			data = data[:d.Length]
		}
		if err != nil || state.Digest(data) != d.SHA256 {
			moved = append(moved, d.Path)
		}
	}
	now, err := fs.ReadFile(p.FS, state.StateFile)
	if err != nil {
		return err
	}
	if string(now) != m.Previous && string(now) != m.Candidate {
		moved = append(moved, state.StateFile)
	}
	if len(moved) > 0 {
		return &Moved{moved}
	}
	return nil
}

// dropMarker removes this publication's marker durably; one that is not there is no error. Another's, which can stand there when the
// lock was taken away from us, is left alone: without it nothing could be recovered (VP-4).
func (p Plan) dropMarker(m *state.Marker) error {
	switch there, err := p.marker(); {
	case err != nil:
		return err
	case there != nil && (there.CandidateSHA256 != m.CandidateSHA256 || there.StartedAt != m.StartedAt):
		return fmt.Errorf("%s is of another publication; it was left", state.FinalizeMark)
	}
	return disk.RemoveFile(p.FS, state.FinalizeMark)
}

// reopen writes the state of a completed plan that is open again. First its receipt gets another name, FINALIZATION-<n>.json, the
// first that is free (VP-5): a completed plan without a receipt is sound, an open one with a receipt in force is not. When the state
// can't be written, the receipt gets its name back: nothing was changed.
func (p Plan) reopen(lock *disk.Lock, data []byte) error {
	if _, err := p.FS.Lstat(state.ReceiptFile); errors.Is(err, fs.ErrNotExist) {
		return p.write(lock, data)
	}
	name, err := p.freeReceipt()
	if err == nil {
		err = p.intend(state.Digest(data))
	}
	if err != nil {
		return err
	}
	if err := disk.RenameFile(p.FS, state.ReceiptFile, name); err != nil {
		return err
	}
	err = p.write(lock, data)
	if step, ok := errors.AsType[*disk.StepError](err); ok && !step.Placed {
		if back := disk.RenameFile(p.FS, name, state.ReceiptFile); back != nil {
			return errors.Join(err, back)
		}
	}
	return err
}

// freeReceipt is the first name for a receipt that is out of force which is not taken.
func (p Plan) freeReceipt() (string, error) {
	for n := 1; ; n++ {
		name := fmt.Sprintf("analysis_results/FINALIZATION-%d.json", n)
		if _, err := p.FS.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			return name, nil
		} else if err != nil {
			return "", err
		}
	}
}
