package cli

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// fingerprint notes everything about a tree that a write would change.
func fingerprint(t *testing.T, dir string) map[string]string {
	t.Helper()
	prints := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		text := fmt.Sprint(info.Mode(), " ", info.ModTime().UnixNano())
		if d.Type().IsRegular() {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			text += fmt.Sprintf(" %x", sha256.Sum256(data))
		}
		prints[path] = text
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return prints
}

// writeTree lays files out under dir; keys are slash paths.
func writeTree(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// contents maps every file of a tree to its mode and text, and every folder to "folder": what a refusal must leave as it was.
func contents(t testing.TB, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		if name = filepath.ToSlash(name); !d.Type().IsRegular() {
			files[name] = "folder"
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		files[name] = fmt.Sprintf("%v %s", info.Mode(), data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
