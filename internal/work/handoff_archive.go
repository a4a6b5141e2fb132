package work

import (
	"archive/tar"
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/strictjson"
	"github.com/deepworkplan/dwp/internal/verify"
)

// FactsFile is the first entry of a package: what it holds, with the digest of each file.
const FactsFile = "handoff.json"

// handoffVersion is the version of FactsFile. A package of another one is refused.
const handoffVersion = 1

// maxFacts bounds what is read of FactsFile.
const maxFacts = 8 << 20

// Bytes is the package as a gzipped tar archive, which every system can open: FactsFile, then the plan's folder. The same package is the
// same bytes: no times, owners or modes of this machine are in it.
func (p *Package) Bytes() ([]byte, error) {
	var out bytes.Buffer
	zip, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	w := tar.NewWriter(zip)
	entries := []disk.Placed{{Path: FactsFile, Data: p.facts()}}
	for _, f := range p.Files {
		entries = append(entries, disk.Placed{Path: path.Join(p.Plan, f.Path), Data: f.Data, Mode: f.Mode})
	}
	for _, e := range entries {
		head := &tar.Header{Typeflag: tar.TypeReg, Name: e.Path, Mode: int64(cmp.Or(e.Mode, 0o644)), Size: int64(len(e.Data)), ModTime: time.Unix(0, 0)}
		if err := w.WriteHeader(head); err != nil {
			return nil, err
		}
		if _, err := w.Write(e.Data); err != nil {
			return nil, err
		}
	}
	if err := errors.Join(w.Close(), zip.Close()); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// facts writes FactsFile.
func (p *Package) facts() []byte {
	o := p.snapshot.Overview()
	v := strictjson.NewObject()
	text := func(to *strictjson.Value, name, value string) { to.Set(name, strictjson.NewString(value)) }
	number := func(to *strictjson.Value, name string, n int) { to.Set(name, strictjson.NewInt(n)) }
	number(v, "handoff", handoffVersion)
	text(v, "plan", p.Plan)
	text(v, "title", o.Title)
	text(v, "standard", p.snapshot.Standard())
	text(v, "status", string(o.Status))
	number(v, "completed", o.Completed)
	number(v, "tasks", o.Total)
	number(v, "next_task", o.Next)
	text(v, "hold", string(o.Hold))
	text(v, "verdict", string(p.Verdict))
	text(v, "state_sha256", p.StateSHA256())
	text(v, "made_at", p.Made.Format(time.RFC3339))
	text(v, "agent", p.Agent)
	text(v, "model", p.Model)
	v.Set("git", strictjson.NewNull())
	if p.Git != nil {
		git := strictjson.NewObject()
		text(git, "head", p.Git.Head)
		text(git, "branch", p.Git.Branch)
		git.Set("dirty", strictjson.NewBool(p.Git.Dirty))
		v.Set("git", git)
	}
	v.Set("blocked", p.blocked())
	v.Set("questions", texts(p.OpenQuestions()))
	decisions := strictjson.NewArray()
	for _, d := range plan.Decisions(p.snapshot.Progress) {
		one := strictjson.NewObject()
		text(one, "id", d.ID)
		text(one, "date", d.Date)
		number(one, "task", d.Task)
		one.Set("options", texts(d.Options))
		text(one, "choice", d.Choice)
		text(one, "why", d.Why)
		text(one, "revert", d.Revert)
		text(one, "by", d.By)
		decisions.Elems = append(decisions.Elems, one)
	}
	v.Set("decisions", decisions)
	files := strictjson.NewArray()
	for _, f := range p.Files {
		one := strictjson.NewObject()
		text(one, "path", f.Path)
		number(one, "size", len(f.Data))
		text(one, "sha256", state.Digest(f.Data))
		files.Elems = append(files.Elems, one)
	}
	v.Set("files", files)
	return strictjson.Format(v)
}

// blocked is the blocker that stands; null without one.
func (p *Package) blocked() *strictjson.Value {
	st := p.snapshot.State
	if st == nil || st.Blocked == nil {
		return strictjson.NewNull()
	}
	v := strictjson.NewObject()
	v.Set("task", strictjson.NewInt(st.Blocked.Task))
	v.Set("reason", strictjson.NewString(st.Blocked.Reason))
	v.Set("needs", strictjson.NewString(st.Blocked.Needs))
	return v
}

func texts(list []string) *strictjson.Value {
	v := strictjson.NewArray()
	for _, text := range list {
		v.Elems = append(v.Elems, strictjson.NewString(text))
	}
	return v
}

// Unpack reads a package and checks all of it before anything is written: one plan's regular files and nothing else, each under a name
// inside the plan's folder, with the size and digest that FactsFile says, and a plan at rest. now and inGit are for verify. It is somebody
// else's file until proved otherwise: sizes are bounded before memory is taken (AG-5).
func Unpack(data []byte, now time.Time, inGit bool) (*Package, error) {
	zip, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, damaged("it is no gzipped archive")
	}
	u := &unpacking{r: tar.NewReader(zip), seen: map[string]bool{}}
	p, err := u.whole()
	if err != nil {
		return nil, err
	}
	// What follows the archive is read too, so that a file that was cut off is told by gzip's own sum.
	if n, err := io.Copy(io.Discard, io.LimitReader(zip, maxFacts)); err != nil || n == maxFacts {
		return nil, damaged("it is cut off, or goes on behind its end")
	}
	told := p.Verdict
	if err := p.read(now, inGit); err != nil {
		return nil, err
	}
	p.Told = told
	return p, nil
}

func damaged(format string, args ...any) error {
	return refuse("guard/handoff-package", "this is no whole package: "+format, args...)
}

// unpacking reads an archive.
type unpacking struct {
	r     *tar.Reader
	seen  map[string]bool // paths in lower case, and the folders above them with a slash behind: some systems know no case
	total int64
}

// whole reads FactsFile, then the files that it names, in any order.
func (u *unpacking) whole() (*Package, error) {
	f, err := u.next(maxFacts)
	if err == nil && f.Path != FactsFile || errors.Is(err, io.EOF) {
		err = damaged("it does not begin with %s", FactsFile)
	}
	if err != nil {
		return nil, err
	}
	p, listed, err := readFacts(f.Data)
	if err != nil {
		return nil, err
	}
	for {
		f, err := u.next(maxPackFile)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		inside, ok := strings.CutPrefix(f.Path, p.Plan+"/")
		if !ok || !packable(inside) {
			return nil, damaged("it has an entry %q, which is no file of %s", strictjson.Shorten(f.Path, 80), p.Plan)
		}
		if u.taken(inside) {
			return nil, damaged("%s stands in it twice, or is a folder too", inside)
		}
		want, ok := listed[inside]
		if !ok || want != (fileFact{len(f.Data), state.Digest(f.Data)}) {
			return nil, damaged("%s is not what %s says", inside, FactsFile)
		}
		delete(listed, inside)
		f.Path = inside
		p.Files = append(p.Files, f)
	}
	for name := range listed {
		return nil, damaged("%q is missing", strictjson.Shorten(name, 80))
	}
	slices.SortFunc(p.Files, func(a, b disk.Placed) int { return cmp.Compare(a.Path, b.Path) })
	return p, nil
}

// next reads the next entry, a regular file of most bytes. The error is io.EOF behind the last one.
func (u *unpacking) next(most int64) (f disk.Placed, err error) {
	head, err := u.r.Next()
	switch {
	case errors.Is(err, io.EOF):
		return f, io.EOF
	case err != nil:
		return f, damaged("the archive can't be read")
	case head.Typeflag != tar.TypeReg:
		return f, damaged("%q is no regular file", strictjson.Shorten(head.Name, 80))
	case head.Size > most || u.total+head.Size > maxPackTotal:
		return f, damaged("%q is larger than a package may be", strictjson.Shorten(head.Name, 80))
	}
	u.total += head.Size
	if f.Path = head.Name; head.FileInfo().Mode().Perm()&ownerWrites == 0 {
		f.Mode = readOnly
	}
	f.Data, err = io.ReadAll(io.LimitReader(u.r, head.Size+1))
	if err != nil || int64(len(f.Data)) != head.Size {
		return f, damaged("it is cut off in %q", strictjson.Shorten(head.Name, 80))
	}
	return f, nil
}

// taken notes a path and the folders above it, and reports whether another entry has one of them already as the other kind.
func (u *unpacking) taken(name string) bool {
	name = strings.ToLower(name)
	if u.seen[name] || u.seen[name+"/"] {
		return true
	}
	u.seen[name] = true
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if u.seen[dir] {
			return true
		}
		u.seen[dir+"/"] = true
	}
	return false
}

// fileFact is what FactsFile says of a file.
type fileFact struct {
	size   int
	sha256 string
}

// readFacts reads FactsFile.
func readFacts(data []byte) (*Package, map[string]fileFact, error) {
	doc, err := strictjson.Parse(data)
	if err != nil {
		return nil, nil, damaged("%s is no JSON", FactsFile)
	}
	if v := doc.Root.Member("handoff"); v == nil || v.Text != strconv.Itoa(handoffVersion) {
		return nil, nil, refuse("guard/handoff-package", "the package is of a version that this tool doesn't know")
	}
	p := &Package{Plan: textOf(doc.Root, "plan"), Agent: textOf(doc.Root, "agent"), Model: textOf(doc.Root, "model"), Verdict: verify.Verdict(textOf(doc.Root, "verdict"))}
	if p.Made, err = time.Parse(time.RFC3339, textOf(doc.Root, "made_at")); err != nil {
		return nil, nil, damaged("%s has no time", FactsFile)
	}
	if !strings.HasPrefix(p.Plan, planPrefix) || strings.Contains(p.Plan, "/") || len(p.Plan) > 100 || !packable(p.Plan) {
		return nil, nil, damaged("%q is no name of a plan", strictjson.Shorten(p.Plan, 80))
	}
	if git := doc.Root.Member("git"); git != nil && git.Kind == strictjson.Object {
		dirty := git.Member("dirty")
		p.Git = &Standing{Head: textOf(git, "head"), Branch: textOf(git, "branch"), Dirty: dirty != nil && dirty.Text == "true"}
	}
	listed := map[string]fileFact{}
	if files := doc.Root.Member("files"); files != nil {
		for _, f := range files.Elems {
			size, err := strconv.Atoi(textOf(f, "size"))
			name := textOf(f, "path")
			if _, twice := listed[name]; err != nil || twice || len(listed) >= maxPackFiles {
				return nil, nil, damaged("%s lists files that can't be", FactsFile)
			}
			listed[name] = fileFact{size, textOf(f, "sha256")}
		}
	}
	return p, listed, nil
}

// textOf is the text of a member; "" without one.
func textOf(v *strictjson.Value, name string) string {
	if m := v.Member(name); m != nil {
		return m.Text
	}
	return ""
}
