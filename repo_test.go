// The tests of package dwp_test in files named repo_* hold the rules of the repository itself:
// what may import what, what may write, what every file must look like, and that requirements,
// catalogue, code and tests speak of the same things.
package dwp_test

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// goFile is one Go file of the module, parsed.
type goFile struct {
	path    string // slash path from the module root
	pkg     string // its folder; "" for the root
	test    bool
	src     []byte
	fset    *token.FileSet
	syntax  *ast.File
	imports []string
}

func goFiles(t *testing.T) []goFile {
	t.Helper()
	var files []goFile
	for _, name := range projectFiles(t) {
		if path.Ext(name) != ".go" {
			continue
		}
		src, err := os.ReadFile(filepath.FromSlash(name))
		if err != nil {
			t.Fatal(err)
		}
		f := goFile{path: name, test: strings.HasSuffix(name, "_test.go"), src: src, fset: token.NewFileSet()}
		if dir := path.Dir(name); dir != "." {
			f.pkg = dir
		}
		if f.syntax, err = parser.ParseFile(f.fset, name, src, parser.ParseComments); err != nil {
			t.Fatal(err)
		}
		for _, spec := range f.syntax.Imports {
			imported, _ := strconv.Unquote(spec.Path.Value)
			f.imports = append(f.imports, imported)
		}
		files = append(files, f)
	}
	return files
}

// projectFiles lists the files of the project by slash path: those that git tracks or would add; in a
// tree without git, all of them.
func projectFiles(t *testing.T) []string {
	t.Helper()
	out, err := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err == nil && len(out) > 0 {
		names := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
		slices.Sort(names)
		return slices.DeleteFunc(slices.Compact(names), func(name string) bool {
			_, err := os.Lstat(filepath.FromSlash(name)) // deleted, not yet committed
			return err != nil
		})
	}
	var names []string
	err = filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (name == ".git" || name == "bin" || name == "dist") {
			return filepath.SkipDir
		}
		if d.Type().IsRegular() {
			names = append(names, filepath.ToSlash(name))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// writers are the calls that change a file system, in package os or as methods: os.Root has them all.
var writers = []string{
	"WriteFile", "Create", "CreateTemp", "Rename", "Remove", "RemoveAll", "Mkdir", "MkdirAll", "MkdirTemp",
	"Chmod", "Chown", "Lchown", "Chtimes", "Symlink", "Link", "CopyFS",
}

// writeFlags make OpenFile write.
var writeFlags = []string{"O_WRONLY", "O_RDWR", "O_APPEND", "O_CREATE", "O_TRUNC", "O_EXCL"}

// TestReadersCannotWrite: verify, status and all they stand on treat a plan as read-only (PS-20).
// Together with the import edges this holds for what they reach, too.
func TestReadersCannotWrite(t *testing.T) {
	for _, f := range goFiles(t) {
		if f.test || strings.HasPrefix(f.pkg, "cmd/") || f.pkg == "internal/disk" { // disk is the only writer (DESIGN 3)
			continue
		}
		if f.pkg == "internal/turntest" { // an agent's program for tests; the import edges keep it out of everything else
			continue
		}
		if f.pkg == "internal/turntest" { // an agent's program for tests; the import edges keep it out of everything else
			continue
		}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if name := writes(n); name != "" {
				t.Errorf("%s: %s changes files", f.fset.Position(n.Pos()), name)
			}
			return true
		})
		for _, imported := range f.imports {
			switch imported {
			case "unsafe", "net", "net/http", "plugin":
				t.Errorf("%s imports %s", f.path, imported)
			case "os/exec":
				if f.pkg != "internal/git" && f.pkg != "internal/runner" {
					t.Errorf("%s imports os/exec: only internal/git and internal/runner start a program", f.path)
				}
			}
		}
	}
}

// writes returns the name of a call or flag that changes files, or "".
func writes(n ast.Node) string {
	switch n := n.(type) {
	case *ast.CallExpr:
		if sel, ok := n.Fun.(*ast.SelectorExpr); ok && slices.Contains(writers, sel.Sel.Name) && !ofDisk(sel) && !ofDesk(sel) {
			return sel.Sel.Name
		}
	case *ast.SelectorExpr:
		if slices.Contains(writeFlags, n.Sel.Name) {
			return n.Sel.Name
		}
	}
	return ""
}

// ofDisk: a call of package disk, which the import edges allow to writers only.
func ofDisk(sel *ast.SelectorExpr) bool {
	pkg, ok := sel.X.(*ast.Ident)
	return ok && pkg.Name == "disk"
}

// ofDesk: a method of a revise.Desk, which holds what is to be written and writes nothing; so desks are called.
func ofDesk(sel *ast.SelectorExpr) bool {
	switch x := sel.X.(type) {
	case *ast.Ident:
		return x.Name == "desk"
	case *ast.SelectorExpr:
		return x.Sel.Name == "desk"
	}
	return false
}

// panics are the files that may panic, with the reason.
var panics = map[string]string{
	"internal/cli/check.go": "hands on what a checking goroutine panicked with",
}

// TestNothingRunsBesideTheCall: no init functions, and no panic is ours to start.
func TestNothingRunsBesideTheCall(t *testing.T) {
	for _, f := range goFiles(t) {
		if f.test {
			continue
		}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Recv == nil && n.Name.Name == "init" {
					t.Errorf("%s: func init", f.fset.Position(n.Pos()))
				}
			case *ast.CallExpr:
				if fun, ok := n.Fun.(*ast.Ident); ok && fun.Name == "panic" && panics[f.path] == "" {
					t.Errorf("%s: panic", f.fset.Position(n.Pos()))
				}
			}
			return true
		})
	}
}

func TestGoFilesAreFormatted(t *testing.T) {
	for _, f := range goFiles(t) {
		if want, err := format.Source(f.src); err != nil || !bytes.Equal(f.src, want) {
			t.Errorf("%s is not formatted by gofmt (%v)", f.path, err)
		}
	}
}

func TestEveryPackageSaysWhatItOwns(t *testing.T) {
	docs := map[string]string{}
	for _, f := range goFiles(t) {
		if !f.test {
			docs[f.pkg] += f.syntax.Doc.Text()
		}
	}
	for pkg, doc := range docs {
		if !strings.HasPrefix(doc, "Package ") && !strings.HasPrefix(doc, "Command ") {
			t.Errorf("package %q has no package comment", pkg)
		}
	}
}

// TestNamesSayWhatIsInside: a package or file is named for what it provides.
func TestNamesSayWhatIsInside(t *testing.T) {
	empty := []string{"util", "utils", "common", "helper", "helpers", "types", "misc", "errors", "base", "shared"}
	for _, name := range projectFiles(t) {
		for part := range strings.SplitSeq(name, "/") {
			stem, _, _ := strings.Cut(strings.TrimSuffix(part, "_test.go"), ".")
			if path.Ext(name) == ".go" && slices.Contains(empty, stem) {
				t.Errorf("%s: %q says nothing", name, stem)
			}
		}
	}
}

// TestNoForbiddenText: nothing of the machine it was written on, and no unfinished work.
func TestNoForbiddenText(t *testing.T) {
	forbidden := []*regexp.Regexp{
		regexp.MustCompile(`(^|[^\w.])/` + `(work|root)/`),
		regexp.MustCompile(`(proxy|sum)\.golang` + `\.org|registry\.npmjs` + `\.org|pypi` + `\.org|deb\.debian` + `\.org`),
		regexp.MustCompile(`//\s*(TO` + `DO|FIX` + `ME|XX` + `X)\b|\b(TO` + `DO|FIX` + `ME)\(`),
	}
	for _, name := range projectFiles(t) {
		data, err := os.ReadFile(filepath.FromSlash(name))
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range bytes.Split(data, []byte("\n")) {
			for _, re := range forbidden {
				if m := re.Find(line); m != nil {
					t.Errorf("%s:%d: %q", name, i+1, m)
				}
			}
		}
	}
}

// TestModuleAndLicence: the Go version the code is written for, and the MIT licence.
func TestModuleAndLicence(t *testing.T) {
	for name, want := range map[string]string{
		"go.mod":  `(?m)^module github\.com/deepworkplan/dwp\n\ngo 1\.26(\.\d+)?$`,
		"LICENSE": `^MIT License\n`,
	} {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !regexp.MustCompile(want).Match(data) {
			t.Errorf("%s does not match %s", name, want)
		}
	}
}

// TestNoExperimentalJSON: with GOEXPERIMENT=jsonv2 our JSON module would hand over to the standard library's
// draft, which drops unknown fields (PS-21). See also the file built under that experiment only.
func TestNoExperimentalJSON(t *testing.T) {
	out, err := exec.Command("go", "env", "GOEXPERIMENT").Output()
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(out), "jsonv2") {
		t.Errorf("GOEXPERIMENT is %q; build without jsonv2", strings.TrimSpace(string(out)))
	}
	setting := regexp.MustCompile(`GOEXPERIMENT=\S*jsonv2`)
	for _, name := range projectFiles(t) {
		if ext := path.Ext(name); ext == ".go" || ext == ".md" || ext == ".txtar" {
			continue // they speak of it
		}
		data, err := os.ReadFile(filepath.FromSlash(name))
		if err != nil {
			t.Fatal(err)
		}
		if setting.Match(data) {
			t.Errorf("%s sets GOEXPERIMENT=jsonv2", name)
		}
	}
}
