package disk

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// PS-5: a file of its user alone is made with its folders, once; what is there is kept, and anything but a file is refused.
func TestPrivateFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "b", "queue.db")
	if err := PrivateFile(path); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("got %v, %v; want mode 0600", info, err)
	}
	if err := os.WriteFile(path, []byte("kept"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := PrivateFile(path); err != nil {
		t.Errorf("a file that is there: %v", err)
	}
	if data, err := os.ReadFile(path); string(data) != "kept" || err != nil {
		t.Errorf("got %q, %v; want it kept", data, err)
	}
	if err := PrivateFile(filepath.Dir(path)); err == nil {
		t.Error("a folder was taken for a file")
	}
	if err := PrivateFile(filepath.Join(path, "below")); err == nil {
		t.Error("a folder was made of a file")
	}
	link := filepath.Join(filepath.Dir(path), "link")
	if err := os.Symlink(path, link); err != nil {
		t.Skipf("no links here: %v", err)
	}
	if err := PrivateFile(link); err == nil {
		t.Error("a link was taken for a file")
	}
}
