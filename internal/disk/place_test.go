package disk_test

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/disk"
)

var placedFiles = []disk.Placed{{Path: "a.md", Data: []byte("a\n")}, {Path: "sub/deeper/b.md", Data: []byte("b\n")}, {Path: "z", Mode: 0o444}}

// placed is what stands in a folder, without what a killed writer left.
func placed(tw *disk.Twin) map[string]string {
	tree := tw.Tree()
	maps.DeleteFunc(tree, func(name, _ string) bool {
		top, _, _ := strings.Cut(name, "/")
		return disk.IsTemp(top) || strings.HasSuffix(name, "/")
	})
	return tree
}

// TestPlaceFolder: a folder is placed whole; nothing that stands there is replaced (PS-5, C121).
func TestPlaceFolder(t *testing.T) {
	dir := t.TempDir()
	folder, err := disk.Open(dir)
	must(t, err)
	defer folder.Close()
	must(t, disk.PlaceFolder(folder, "PLAN_x", placedFiles, func(temp string) error {
		if !disk.IsTemp(temp) {
			t.Errorf("checked in %s", temp)
		}
		return nil
	}))
	for _, f := range placedFiles {
		if got, err := os.ReadFile(filepath.Join(dir, "PLAN_x", filepath.FromSlash(f.Path))); err != nil || string(got) != string(f.Data) {
			t.Errorf("%s: %q, %v", f.Path, got, err)
		}
	}
	if info, err := folder.Lstat("PLAN_x/z"); err != nil || info.Mode().Perm() != 0o444 {
		t.Errorf("mode: %v, %v", info, err)
	}
	if err := disk.PlaceFolder(folder, "PLAN_x", nil, nil); !errors.Is(err, fs.ErrExist) {
		t.Errorf("over a folder: %v", err)
	}
	must(t, os.Mkdir(filepath.Join(dir, "empty"), 0o755))
	if err := disk.PlaceFolder(folder, "empty", placedFiles, nil); !errors.Is(err, fs.ErrExist) {
		t.Errorf("over an empty folder: %v", err)
	}
	refused := errors.New("no")
	if err := disk.PlaceFolder(folder, "PLAN_y", placedFiles, func(string) error { return refused }); !errors.Is(err, refused) {
		t.Errorf("unchecked: %v", err)
	}
	if err := disk.PlaceFolder(folder, "PLAN_y", []disk.Placed{{Path: "../out"}}, nil); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("climbing: %v", err)
	}
	list, err := os.ReadDir(dir)
	must(t, err)
	if len(list) != 2 {
		t.Errorf("left behind: %v", list)
	}
}

// TestRemoveFolder: links in it are removed and never followed.
func TestRemoveFolder(t *testing.T) {
	tw := disk.NewTwin()
	must(t, tw.Put("keep/me", []byte("x"), 0o644))
	must(t, tw.Put("gone/sub/file", []byte("x"), 0o644))
	must(t, tw.PutLink("gone/link", "../keep"))
	must(t, disk.RemoveFolder(tw, "gone"))
	must(t, disk.RemoveFolder(tw, "gone"))
	if tree := tw.Tree(); tree["keep/me"] != "x" || len(placed(tw)) != 1 {
		t.Errorf("%v", tree)
	}
}

// TestPlaceFolderCrashes: cut off at any instant, by a power cut or a kill, all of the folder is there or nothing of it; told success
// survives; and again it succeeds (PS-5).
func TestPlaceFolderCrashes(t *testing.T) {
	want := map[string]string{}
	for _, f := range placedFiles {
		want["PLAN_x/"+f.Path] = string(f.Data)
	}
	run := disk.NewTwin()
	must(t, disk.PlaceFolder(run, "PLAN_x", placedFiles, nil))
	if got := placed(run); !maps.Equal(got, want) {
		t.Fatalf("got %v", got)
	}
	for at := 1; at <= run.Ops()+1; at++ {
		for seed := range 5 {
			tw := disk.NewTwin()
			tw.CrashAt(at)
			told := disk.PlaceFolder(tw, "PLAN_x", placedFiles, nil) == nil
			switch seed {
			case 0:
				tw = tw.Crash(disk.Survival{})
			case 1:
				tw = tw.Kill()
			default:
				tw = tw.Crash(disk.Survival{Remainder: true, Seed: uint64(seed)})
			}
			got := placed(tw)
			if len(got) != 0 && !maps.Equal(got, want) || told && len(got) == 0 {
				t.Fatalf("call %d, seed %d, told %v: %v", at, seed, told, got)
			}
			if len(got) == 0 {
				must(t, disk.PlaceFolder(tw, "PLAN_x", placedFiles, nil))
			}
			if got := placed(tw); !maps.Equal(got, want) {
				t.Fatalf("call %d, seed %d: ends in %v", at, seed, got)
			}
		}
	}
}
