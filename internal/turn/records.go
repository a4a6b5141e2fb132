package turn

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// maxRecord bounds what is read of one record: Judge lists a bounded number of files in it.
const maxRecord = 8 << 20

// Numbers lists the numbers of a plan's turns, ascending, by the names of their records, read or not. fsys is the plan folder.
func Numbers(fsys fs.FS) ([]int, error) {
	entries, err := fs.ReadDir(fsys, Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list the records of turns: %w", err)
	}
	var list []int
	for _, e := range entries {
		if n, ok := recordNumber(e.Name()); ok {
			list = append(list, n)
		}
	}
	slices.Sort(list)
	return list, nil
}

// recordNumber reads the name of a record: "12.json", and no other spelling of the number.
func recordNumber(name string) (int, bool) {
	digits, ok := strings.CutSuffix(name, ".json")
	n, err := strconv.Atoi(digits)
	return n, ok && err == nil && 0 < n && n <= maxTurns && strconv.Itoa(n) == digits
}

// recordPath is where the record of a turn is, in the plan folder.
func recordPath(n int) string { return path.Join(Dir, strconv.Itoa(n)+".json") }

// RecordError says which record can't be read. Without it nobody can tell what the turn did, so no other one is taken beside it.
type RecordError struct {
	Path string // in the plan folder
	Err  error
}

func (e *RecordError) Error() string { return "read " + e.Path + ": " + e.Err.Error() }

func (e *RecordError) Unwrap() error { return e.Err }

// Records reads the records of a plan, the newest last, most of them at most. One that can't be read is a *RecordError.
func Records(fsys fs.FS, most int) ([]Record, error) {
	numbers, err := Numbers(fsys)
	if err != nil {
		return nil, err
	}
	var list []Record
	for _, n := range numbers[len(numbers)-min(max(most, 0), len(numbers)):] {
		r, err := ReadRecord(fsys, n)
		if err != nil {
			return nil, &RecordError{recordPath(n), err}
		}
		list = append(list, *r)
	}
	return list, nil
}

// ReadRecord reads the record of one turn. A link is not followed, and what is no regular file is not opened (C141).
func ReadRecord(fsys fs.FS, n int) (*Record, error) {
	name := recordPath(n)
	info, err := lstat(fsys, name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("no regular file")
	case info.Size() > maxRecord:
		return nil, errors.New("larger than 8 MiB")
	}
	file, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxRecord+1)) // it may have grown
	if err != nil {
		return nil, err
	}
	if len(data) > maxRecord {
		return nil, errors.New("larger than 8 MiB")
	}
	r, err := ParseRecord(data)
	if err == nil && r.N != n {
		return nil, fmt.Errorf("it is the record of turn %d", r.N)
	}
	return r, err
}

// lstat describes a file without following a link, as far as the file system can.
func lstat(fsys fs.FS, name string) (fs.FileInfo, error) {
	if l, ok := fsys.(interface {
		Lstat(name string) (fs.FileInfo, error)
	}); ok {
		return l.Lstat(name)
	}
	return fs.Stat(fsys, name)
}

// Turned lists the tasks that an agent was woken for, each once: a commit that names one of them is part of that work, whether the agent
// began the task by its command or not (C37).
func Turned(list []Record) (tasks []int) {
	for i := range list {
		if r := &list[i]; r.Run != nil || r.Result == Lost || r.Result == Open {
			tasks = append(tasks, r.Task)
		}
	}
	slices.Sort(tasks)
	return slices.Compact(tasks)
}
