package author

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/state"
)

// Place is a plan folder that is being made, and who makes it.
type Place struct {
	FS     disk.FS
	Owner  disk.Owner
	Wait   time.Duration // for the lock (GU-10)
	System disk.System
}

// What callers branch on.
var (
	// ErrExists: the folder holds a plan already, or something else (C121): nothing of it is overwritten.
	ErrExists = errors.New("the folder is not empty")
	// ErrNotPartial: the plan's creation is finished; there is nothing to resume or to discard.
	ErrNotPartial = errors.New("the plan is not partial")
	// ErrNoOutline: creation ended before the outline was kept; it has to be given again.
	ErrNoOutline = errors.New("no outline is kept in the plan")
)

// Foreign says that a partial plan holds what its creation did not write: nothing was changed.
type Foreign struct{ Paths []string }

func (e *Foreign) Error() string {
	return "not as the plan's creation wrote it: " + strings.Join(e.Paths, ", ")
}

// Materialize writes a plan into its folder, which is there and empty; or, with resume, what is missing of it. Each text is written
// durably, in the order of LF-4, so that a crash leaves a beginning of the list, and the end is the same however often it was cut
// off. The last two steps make the plan ready, README.md before state.json as at every boundary (PS-19):
//
//	lock    state.json.lock           one creator at a time
//	look    every path                as the creation wrote it, in any of its versions, or missing
//	write   manifest.json             once, first (PS-3)
//	write   analysis_results/OUTLINE.json
//	write   README.md                 Plan Status: materializing
//	        PLAN_ANALYSIS.md, task files, PROMPTS.md, PROGRESS.md, a hub's ORCHESTRATOR_MANIFEST.md (AG-4), SKILLS_CANDIDATES.md, state.json materializing
//	write   README.md                 Plan Status: 0/N completed
//	write   state.json                materialization ready
//	read    every path                what is told is true on reading it again
//
// The error is ErrExists, a *Foreign, a *disk.LockedError, or says what could not be written.
func Materialize(ctx context.Context, at Place, p *Plan, resume bool) error {
	return at.locked(ctx, func(guard func() error) error {
		have, err := at.look(p)
		switch foreign, odd := errors.AsType[*Foreign](err); {
		case odd && !resume:
			return ErrExists
		case odd:
			return foreign
		case err != nil:
			return err
		case !resume && len(have) > 0:
			return ErrExists
		}
		for i, f := range p.Files {
			// A later version of it is there already: README.md and state.json are written twice.
			if slices.ContainsFunc(p.Files[i:], func(later File) bool { return later.Path == f.Path && have[f.Path] == later.Text }) {
				continue
			}
			if err := at.write(f, guard); err != nil {
				return err
			}
			have[f.Path] = f.Text
		}
		return at.confirm(p)
	})
}

// locked does something under the lock of the folder; guard belongs right before each change (GU-10).
func (at Place) locked(ctx context.Context, do func(guard func() error) error) (err error) {
	lock, err := disk.Acquire(ctx, at.FS, at.Owner, at.Wait, at.System)
	if err != nil {
		return err
	}
	defer func() {
		if released := lock.Release(); err == nil && released != nil {
			err = released
		}
	}()
	return do(lock.Check)
}

// write writes one text durably (PS-5), and makes the folder for it.
func (at Place) write(f File, guard func() error) error {
	if dir := path.Dir(f.Path); dir != "." {
		if err := disk.MkdirAll(at.FS, dir); err != nil {
			return err
		}
	}
	return disk.WriteFile(at.FS, f.Path, []byte(f.Text), disk.Options{Guard: guard})
}

// confirm reads the plan again.
func (at Place) confirm(p *Plan) error {
	for name, text := range p.Final() {
		got, err := fs.ReadFile(at.FS, name)
		if err != nil {
			return fmt.Errorf("read %s again: %w", name, err)
		}
		if string(got) != text {
			return fmt.Errorf("read %s again: it is not what was written", name)
		}
	}
	return nil
}

// look reads what stands in the folder. What p's creation does not write, in none of its versions, is Foreign; a lock and
// what a killed writer left are passed over.
func (at Place) look(p *Plan) (have map[string]string, err error) {
	have = map[string]string{}
	names, err := at.list()
	if err != nil {
		return nil, err
	}
	var odd []string
	for _, name := range names {
		if disk.IsTemp(name) {
			continue
		}
		text, err := at.read(name)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(p.Files, func(f File) bool { return f.Path == name && f.Text == text }) {
			odd = append(odd, name)
		}
		have[name] = text
	}
	if len(odd) > 0 {
		return have, &Foreign{odd}
	}
	return have, nil
}

// longest bounds what is read to be compared: nothing that creation writes is longer.
const longest = 64 << 20

// read reads a file that may be anybody's: nothing but a regular file is opened, so that a FIFO keeps nobody waiting.
func (at Place) read(name string) (string, error) {
	info, err := at.FS.Lstat(name)
	if err != nil {
		return "", fmt.Errorf("read %s: %w", name, err)
	}
	if !info.Mode().IsRegular() || info.Size() > longest {
		return "", &Foreign{[]string{name}}
	}
	data, err := fs.ReadFile(at.FS, name)
	if err != nil {
		return "", fmt.Errorf("read %s: %w", name, err)
	}
	return string(data), nil
}

// list names every entry but folders that creation makes, and the lock.
func (at Place) list() ([]string, error) {
	top, err := at.FS.ReadDir(".")
	if err != nil {
		return nil, fmt.Errorf("read the plan folder: %w", err)
	}
	var names []string
	for _, e := range top {
		switch {
		case e.Name() == disk.LockDir:
		case e.Name() == analysisDir && e.IsDir():
			below, err := at.FS.ReadDir(analysisDir)
			if err != nil {
				return nil, fmt.Errorf("read %s: %w", analysisDir, err)
			}
			for _, b := range below {
				names = append(names, analysisDir+"/"+b.Name())
			}
		default:
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// Partial reports whether a plan's creation is not finished (LF-4): its README or state says so, or one of them
// is not there yet and nothing says that the plan ever was ready.
func Partial(s *plan.Snapshot) bool {
	// A state that is ready, or that can't be read, stands for a plan that may have been worked: never ours to finish.
	if s.State != nil && s.State.Materialization != "materializing" || s.Files[state.StateFile] != nil && s.State == nil {
		return false
	}
	readme, known := s.Nodes[readmeFile], s.Nodes[state.ManifestFile].Kind == plan.RegularFile
	switch {
	case s.README != nil:
		return s.README.Materializing || s.State != nil
	case readme.Kind != "": // it is there and can't be read, or is no file
		return false
	}
	// Before the README there is the manifest, and before that nothing.
	return known && s.State == nil || empty(s)
}

// empty: nothing but what comes before the first file.
func empty(s *plan.Snapshot) bool {
	for name := range s.Nodes {
		top, _, _ := strings.Cut(name, "/")
		if top != disk.LockDir && name != analysisDir && !disk.IsTemp(name) {
			return false
		}
	}
	return true
}

// Load takes a partial plan up again from the outline that it keeps. Without one the error is ErrNoOutline.
func Load(s *plan.Snapshot, fsys fs.FS) (*Plan, error) {
	if !Partial(s) {
		return nil, ErrNotPartial
	}
	src, err := fs.ReadFile(fsys, OutlineFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNoOutline
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", OutlineFile, err)
	}
	o, opt, gaps := readRecord(src)
	if len(gaps) > 0 {
		return nil, &Incomplete{gaps}
	}
	if opt.Name != s.Name {
		return nil, fmt.Errorf("%s is of %q, not of this plan", OutlineFile, opt.Name)
	}
	return Prepare(o, opt)
}

// Started is when the creation of a plan began that keeps no outline yet: its manifest says it. Creation goes on only with
// the same time, because the manifest is written once (PS-3). It is the zero time without a manifest.
func Started(s *plan.Snapshot) time.Time {
	if s.Manifest == nil {
		return time.Time{}
	}
	return s.Manifest.CreatedAt.Value.UTC()
}

// Discardable lists the files of a partial plan in the order in which Discard removes them: the last written first. p is nil when
// the plan keeps no outline; then only the manifest may be there. A file that creation did not write, or that was
// edited since, is Foreign: it is for a person to move.
func Discardable(at Place, p *Plan) ([]string, error) {
	names, err := at.list()
	if err != nil {
		return nil, err
	}
	if p == nil {
		if odd := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == state.ManifestFile || disk.IsTemp(n) }); len(odd) > 0 {
			return nil, &Foreign{odd}
		}
		return names, nil
	}
	if _, err := at.look(p); err != nil {
		return nil, err
	}
	rank := map[string]int{}
	for i, f := range slices.Backward(p.Files) {
		rank[f.Path] = i // the first time counts
	}
	slices.SortStableFunc(names, func(a, b string) int { return rank[b] - rank[a] })
	return names, nil
}

// Discard removes what Discardable lists, the manifest last, so that a discard that is cut off leaves a partial plan. The empty
// folder is left to the caller.
func Discard(ctx context.Context, at Place, p *Plan) error {
	return at.locked(ctx, func(guard func() error) error {
		names, err := Discardable(at, p)
		if err != nil {
			return err
		}
		for _, name := range names {
			if err := guard(); err != nil {
				return err
			}
			if err := disk.RemoveFile(at.FS, name); err != nil {
				return err
			}
		}
		return disk.RemoveFile(at.FS, analysisDir)
	})
}

// ignoreLine keeps plans out of git (PD-1).
const ignoreLine = ".dwp/"

// Ignore adds the line .dwp/ to the .gitignore of the folder, with the file's own line ends. It changes nothing else.
func Ignore(top disk.FS) error {
	const name = ".gitignore"
	data, err := fs.ReadFile(top, name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read %s: %w", name, err)
	}
	text, end := string(data), "\n"
	if strings.Contains(text, "\r\n") {
		end = "\r\n"
	}
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += end
	}
	return disk.WriteFile(top, name, []byte(text+ignoreLine+end), disk.Options{})
}
