package plan

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// lay writes files below dir; a name that ends in a slash is an empty folder, a text that begins with
// "-> " a link.
func lay(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		if runtime.GOOS == "windows" && strings.ContainsAny(name, "\"\n\\") {
			t.Skip("no such names here")
		}
		p := filepath.Join(dir, filepath.FromSlash(name))
		must(t, os.MkdirAll(filepath.Dir(p), 0o755))
		target, link := strings.CutPrefix(text, "-> ")
		switch {
		case link && runtime.GOOS == "windows":
			t.Skip("links take a privilege here")
		case link:
			must(t, os.Symlink(target, p))
		case strings.HasSuffix(name, "/"):
			must(t, os.MkdirAll(p, 0o755))
		default:
			must(t, os.WriteFile(p, []byte(text), 0o644))
		}
	}
}

// folder is a temporary folder with files, free of links.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	lay(t, dir, files)
	return dir
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git program")
	}
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull,
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org",
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
