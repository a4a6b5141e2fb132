package disk_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/deepworkplan/dwp/internal/disk"
)

// The ordinary run is small; the large one is -writers 16 -updates 200 -kills 300.
var (
	writers = flag.Int("writers", 8, "processes that update one file together")
	updates = flag.Int("updates", 50, "updates of each writer")
	kills   = flag.Int("kills", 40, "writers that are killed")
)

// Roles that this test binary takes when it is run by itself.
const (
	roleVariable = "DWP_DISK_TEST_ROLE"
	roleCount    = "count"   // as many lock-protected increments as the second argument says, then end
	roleForever  = "forever" // the same without end; each is reported on stdout when it is done
)

func TestMain(m *testing.M) {
	if role := os.Getenv(roleVariable); role != "" {
		if err := play(role, os.Args[1], os.Args[2]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	flag.Parse()
	os.Exit(m.Run())
}

func play(role, dir, count string) error {
	n, err := strconv.Atoi(count)
	if err != nil {
		return err
	}
	f, err := disk.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	for i := 0; role == roleForever || i < n; i++ {
		value, err := increment(f)
		if err != nil {
			return err
		}
		fmt.Println(value)
	}
	return nil
}

// increment reads the counter and writes it under one lock (GU-9). The file is padded, so that a torn one shows.
func increment(f disk.FS) (value int, err error) {
	l, err := disk.Acquire(context.Background(), f, disk.Owner{Agent: "writer"}, time.Minute, disk.System{})
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, l.Release()) }()
	data, err := fs.ReadFile(f, "state.json")
	if err != nil {
		return 0, err
	}
	if value, err = counter(data); err != nil {
		return 0, err
	}
	value++
	return value, disk.WriteFile(f, "state.json", counterFile(value), disk.Options{Guard: l.Check})
}

func counterFile(value int) []byte {
	line := fmt.Sprintf("%08d\n", value)
	return []byte(strings.Repeat(line, 1000))
}

// counter reads what counterFile wrote; a mixture or a part is an error.
func counter(data []byte) (int, error) {
	line, _, _ := bytes.Cut(data, []byte("\n"))
	value, err := strconv.Atoi(string(line))
	if err == nil && !bytes.Equal(data, counterFile(value)) {
		err = errors.New("torn")
	}
	if err != nil {
		return 0, fmt.Errorf("state.json of %d bytes: %w", len(data), err)
	}
	return value, nil
}

func writer(t *testing.T, role, dir string, n int) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	exe, err := os.Executable()
	must(t, err)
	var out bytes.Buffer
	c := exec.CommandContext(t.Context(), exe, dir, strconv.Itoa(n))
	c.Env = append(os.Environ(), roleVariable+"="+role)
	c.Stdout, c.Stderr = &out, os.Stderr
	return c, &out
}

func counterFolder(t *testing.T) (dir string, f *disk.Folder) {
	t.Helper()
	dir = t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "state.json"), counterFile(0), 0o664))
	must(t, os.Chmod(filepath.Join(dir, "state.json"), 0o664))
	f, err := disk.Open(dir)
	must(t, err)
	t.Cleanup(func() { f.Close() })
	return dir, f
}

// TestManyWriters: real processes, one file; all updates are there afterwards, and nothing beside them (C53, C55, GU-9).
func TestManyWriters(t *testing.T) {
	dir, f := counterFolder(t)
	var wg sync.WaitGroup
	for range *writers {
		c, _ := writer(t, roleCount, dir, *updates)
		wg.Go(func() {
			if err := c.Run(); err != nil {
				t.Errorf("writer: %v", err)
			}
		})
	}
	wg.Wait()
	got, err := counter([]byte(read(t, f, "state.json")))
	if want := *writers * *updates; got != want || err != nil {
		t.Errorf("%d of %d updates, %v", got, want, err)
	}
	if got := names(t, f); got != "state.json" {
		t.Errorf("the folder holds %s", got)
	}
	info, err := f.Lstat("state.json")
	if err != nil || info.Mode() != 0o664 {
		t.Errorf("state.json: %v, %v (PS-23)", info, err)
	}
}

// TestKilledWriters: kill -9 at random moments; the file is always whole, no update that was reported is lost, at most one
// lock is left and it is cleared by what it shows, and what else is left verify recognises (C63, C69).
func TestKilledWriters(t *testing.T) {
	dir, f := counterFolder(t)
	locks, temps := 0, 0
	for range *kills {
		out, wait := killedWriter(t, dir)
		value, err := counter([]byte(read(t, f, "state.json")))
		if err != nil {
			t.Fatal(err)
		}
		reported := 0
		for line := range strings.Lines(out) {
			if strings.HasSuffix(line, "\n") {
				reported, _ = strconv.Atoi(strings.TrimSpace(line))
			}
		}
		if value < reported || reported > 0 && value > reported+1 {
			t.Errorf("killed after %v: %d is there, %d was reported", wait, value, reported)
		}
		for name := range strings.FieldsSeq(names(t, f)) {
			switch {
			case name == "state.json":
			case strings.HasPrefix(name, ".state.json.tmp-"):
				temps++
				must(t, f.Remove(name))
			case !strings.HasPrefix(name, disk.LockDir):
				t.Errorf("killed after %v: left %s", wait, name)
			}
		}
		locks += clearReal(t, f)
	}
	t.Logf("%d kills left %d locks and %d temporary files", *kills, locks, temps)
	if _, err := increment(f); err != nil || names(t, f) != "state.json" {
		t.Errorf("afterwards: %v; %s", err, names(t, f))
	}
}

// killedWriter runs a writer and kills it at a random moment of its work; the moment is chosen, not waited for.
func killedWriter(t *testing.T, dir string) (out string, wait time.Duration) {
	t.Helper()
	c, stdout := writer(t, roleForever, dir, 0)
	must(t, c.Start())
	wait = 5*time.Millisecond + rand.N(40*time.Millisecond)
	timer := time.AfterFunc(wait, func() { c.Process.Kill() })
	defer timer.Stop()
	if err := c.Wait(); err == nil || c.ProcessState.ExitCode() != -1 {
		t.Fatalf("the writer was not killed: %v", err)
	}
	return stdout.String(), wait
}

// clearReal clears the lock that a killed process left, as a person does, and returns how many there were.
func clearReal(t *testing.T, f *disk.Folder) int {
	t.Helper()
	h, err := disk.Inspect(f, disk.System{})
	must(t, err)
	if !h.Held {
		return 0
	}
	id := disk.UnknownOwner
	if len(h.Holders) > 0 {
		id = h.Holders[0].ID
	}
	if len(h.Holders) > 1 || len(h.Others) > 0 {
		t.Errorf("left %+v", h)
	}
	if _, err := disk.Clear(f, id, disk.System{}); err != nil {
		t.Errorf("clear: %v", err)
	}
	return 1
}
