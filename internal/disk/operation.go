package disk

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"github.com/deepworkplan/dwp/internal/strictjson"
)

// OpDir is the folder of a committed operation on several files; verify reports it as operation/unfinished.
const OpDir = ".dwp-op"

const (
	opFile    = "op.json"
	opVersion = 1
	// maxOpFile is how much of an op.json is read.
	maxOpFile = 16 << 20
)

// Operation is an operation on several files, named for whoever finds it unfinished.
type Operation struct {
	Name string   // the command: "refine split"
	Args []string // its arguments, as given
	// Files are the changes, in order. Stage fills them in.
	Files []OpChange
}

// OpChange is what an operation does to one file. Digests are SHA-256 in lower-case hexadecimal, "" when
// there is no file.
type OpChange struct {
	Path   string
	Before string
	After  string
}

// staged is the path of the new content of change i in an operation's folder.
func staged(dir string, i int) string { return path.Join(dir, strconv.Itoa(i+1)) }

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// format writes op.json.
func (o *Operation) format() []byte {
	v := strictjson.NewObject()
	v.Set("version", strictjson.NewInt(opVersion))
	v.Set("operation", strictjson.NewString(o.Name))
	args := strictjson.NewArray()
	for _, a := range o.Args {
		args.Elems = append(args.Elems, strictjson.NewString(a))
	}
	v.Set("arguments", args)
	files := strictjson.NewArray()
	for _, c := range o.Files {
		f := strictjson.NewObject()
		f.Set("path", strictjson.NewString(c.Path))
		f.Set("before", digestOrNull(c.Before))
		f.Set("after", digestOrNull(c.After))
		files.Elems = append(files.Elems, f)
	}
	v.Set("files", files)
	return strictjson.Format(v)
}

func digestOrNull(d string) *strictjson.Value {
	if d == "" {
		return strictjson.NewNull()
	}
	return strictjson.NewString(d)
}

// errOpFormat marks an op.json that is not ours, or of a later version: nothing is done on a guess.
var errOpFormat = errors.New("not an operation of this version")

// parseOperation reads op.json. It is somebody else's file until proved otherwise: paths are checked as in Stage.
func parseOperation(data []byte) (*Operation, error) {
	doc, err := strictjson.Parse(data)
	if err != nil {
		return nil, err
	}
	version, name := doc.Root.Member("version"), doc.Root.Member("operation")
	args, files := doc.Root.Member("arguments"), doc.Root.Member("files")
	if version == nil || version.Text != strconv.Itoa(opVersion) || !isString(name) || args == nil || files == nil || len(files.Elems) == 0 {
		return nil, errOpFormat
	}
	o := &Operation{Name: name.Text}
	for _, a := range args.Elems {
		o.Args = append(o.Args, a.Text)
	}
	var paths []string
	for _, f := range files.Elems {
		p, before, after := f.Member("path"), f.Member("before"), f.Member("after")
		if !isString(p) || !isDigest(before) || !isDigest(after) {
			return nil, errOpFormat
		}
		o.Files = append(o.Files, OpChange{Path: p.Text, Before: before.Text, After: after.Text})
		paths = append(paths, p.Text)
	}
	return o, validPaths(paths)
}

func isString(v *strictjson.Value) bool { return v != nil && v.Kind == strictjson.String }

func isDigest(v *strictjson.Value) bool {
	if v == nil || v.Kind == strictjson.Null {
		return v != nil
	}
	raw, err := hex.DecodeString(v.Text)
	return v.Kind == strictjson.String && err == nil && len(raw) == sha256.Size && strings.ToLower(v.Text) == v.Text
}

// validPaths demands that an operation's paths are files of the plan, each once, none below another, and
// neither the lock nor an operation.
func validPaths(paths []string) error {
	files := map[string]bool{}
	for _, p := range paths {
		top, _, _ := strings.Cut(p, "/")
		switch {
		case !fs.ValidPath(p) || p == ".":
			return fmt.Errorf("change %q: %w", p, fs.ErrInvalid)
		case top == LockDir || top == OpDir || strings.HasPrefix(top, stagePrefix):
			return fmt.Errorf("change %q: not a file of the plan: %w", p, fs.ErrInvalid)
		case files[p]:
			return fmt.Errorf("change %q: twice in one operation: %w", p, fs.ErrInvalid)
		}
		files[p] = true
	}
	for _, p := range paths {
		for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
			if files[dir] {
				return fmt.Errorf("change %q: below the file %q: %w", p, dir, fs.ErrInvalid)
			}
		}
	}
	return nil
}
