package dcli

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/deepworkplan/dwp/internal/daemon"
	"github.com/deepworkplan/dwp/internal/daemontest"
	"github.com/deepworkplan/dwp/internal/turntest"
)

var fleetPlans = flag.Int("fleet", 0, "how many plans the fleet works (default 60 on PostgreSQL, 15 on SQLite; in short mode a third)")

// fleet is some daemons that share a queue.
type fleet struct {
	t    *testing.T
	root string
	url  string // "" for the embedded database
	turn string // the program that takes turns
	ttl  time.Duration
	log  lockedBuffer
}

// lockedBuffer takes the output of several processes.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// member is one daemon.
type member struct {
	cmd  *exec.Cmd
	done chan error
}

// start starts a daemon.
func (f *fleet) start(flags ...string) *member {
	f.t.Helper()
	turn, err := exec.LookPath(f.turn)
	if err != nil {
		f.t.Fatal(err)
	}
	args := append([]string{"daemon", "run", "--root", f.root, "--dwp", turn, "--workers", "4",
		"--dead-man", f.ttl.String(), "--look", "500ms", "--backoff", "500ms", "--watch", "500ms", "--grace", "10s"}, flags...)
	cmd := exec.Command("dwpd", args...)
	cmd.Env = append(os.Environ(), urlVariable+"="+f.url, turntest.PIDs+"="+filepath.Join(f.root, "pids"))
	cmd.Stdout, cmd.Stderr = &f.log, &f.log
	if err := cmd.Start(); err != nil {
		f.t.Fatal(err)
	}
	m := &member{cmd, make(chan error, 1)}
	go func() { m.done <- cmd.Wait() }()
	f.t.Cleanup(func() { cmd.Process.Kill() })
	return m
}

// kill kills a daemon, as the loss of its machine would.
func (m *member) kill() {
	m.cmd.Process.Kill()
	<-m.done
}

// stop asks a daemon to stop, and returns how it ended.
func (m *member) stop() error {
	m.cmd.Process.Signal(os.Interrupt)
	return <-m.done
}

// open opens the fleet's queue.
func (f *fleet) open() *daemon.Store {
	f.t.Helper()
	if err := os.MkdirAll(filepath.Join(f.root, ".dwp"), 0o755); err != nil {
		f.t.Fatal(err)
	}
	store, err := daemon.Open(f.t.Context(), daemon.Where{URL: f.url, File: filepath.Join(f.root, ".dwp", "dwp.db")})
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() { store.Close() })
	return store
}

// fill makes the plans and puts them into the queue.
func (f *fleet) fill(plans, tasks int) *daemon.Store {
	f.t.Helper()
	store := f.open()
	for i := range plans {
		name := fmt.Sprintf("PLAN_p%02d", i)
		if err := makePlan(f.root, name, tasks); err != nil {
			f.t.Fatal(err)
		}
		if _, err := store.Enqueue(f.t.Context(), daemon.Order{Path: ".dwp/plans/" + name, MostTurns: 100}, false); err != nil {
			f.t.Fatal(err)
		}
	}
	return store
}

// left counts the plans that are not completed.
func (f *fleet) left(store *daemon.Store) int {
	f.t.Helper()
	plans, err := store.List(f.t.Context())
	if err != nil {
		f.t.Fatal(err)
	}
	n := 0
	for _, p := range plans {
		if p.Status != daemon.Completed {
			n++
		}
	}
	return n
}

// work runs so many daemons until all plans are completed, and kills one of them at random every few seconds. A new one takes its place.
func (f *fleet) work(store *daemon.Store, size int, every time.Duration) (kills int) {
	f.t.Helper()
	members := make([]*member, size)
	for i := range members {
		members[i] = f.start()
	}
	next := time.Now().Add(every)
	err := eventually(patience+time.Duration(*shops)*10*time.Second, func() bool {
		if f.left(store) == 0 {
			return true
		}
		if every > 0 && time.Now().After(next) {
			i := rand.N(size)
			members[i].kill()
			members[i] = f.start()
			kills++
			next = time.Now().Add(every/2 + rand.N(every))
		}
		return false
	})
	if err != nil {
		f.t.Fatalf("%d plans are not completed: %v", f.left(store), err)
	}
	for _, m := range members {
		if err := m.stop(); err != nil {
			f.t.Errorf("a daemon ended by %v", err)
		}
	}
	return kills
}

// check proves from the logs that the turns wrote that each task was done once, and no two turns of a plan ran at one time.
func (f *fleet) check(store *daemon.Store, plans, tasks int) {
	f.t.Helper()
	for i := range plans {
		name := fmt.Sprintf("PLAN_p%02d", i)
		log, err := os.ReadFile(filepath.Join(f.root, ".dwp", "plans", name, logFile))
		if err != nil {
			f.t.Fatal(err)
		}
		for _, fault := range faults(string(log), tasks) {
			f.t.Errorf("%s: %s", name, fault)
		}
	}
	turns, err := store.History(f.t.Context(), "", 100000)
	if err != nil {
		f.t.Fatal(err)
	}
	results := map[string]int{}
	for _, turn := range turns {
		results[turn.Result]++
	}
	f.t.Logf("turns by result: %v", results)
	if results["plan-completed"] != plans {
		f.t.Errorf("%d plans were found completed, want %d", results["plan-completed"], plans)
	}
	if results["open"] != 0 {
		f.t.Errorf("%d turns have no end in the history", results["open"])
	}
}

// UN-2, C61, C63: three daemons, sixty plans, one daemon killed at random every few seconds: each plan is completed once, and no two turns of it
// run at one time. On PostgreSQL; see TestFleetOfOne for the embedded database.
func TestFleet(t *testing.T) {
	f := &fleet{t: t, root: t.TempDir(), url: daemontest.Database(t), turn: "faketurn", ttl: 3 * time.Second}
	f.test(3, 60, 2*time.Second)
}

// The same with one daemon on the embedded database, which is killed as well.
func TestFleetOfOne(t *testing.T) {
	f := &fleet{t: t, root: t.TempDir(), turn: "faketurn", ttl: 3 * time.Second}
	f.test(1, 15, 4*time.Second)
}

func (f *fleet) test(size, plans int, every time.Duration) {
	f.t.Helper()
	const tasks = 3
	switch {
	case *fleetPlans > 0:
		plans = *fleetPlans
	case testing.Short():
		plans /= 3
	}
	f.t.Cleanup(func() {
		if f.t.Failed() {
			f.t.Logf("the daemons said:\n%s", f.log.String())
		}
	})
	store := f.fill(plans, tasks)
	kills := f.work(store, size, every)
	f.t.Logf("%d plans of %d tasks, %d daemons, %d kills", plans, tasks, size, kills)
	f.check(store, plans, tasks)
}

// The proof is one: a log of what must not happen is found out.
func TestFaultsAreFound(t *testing.T) {
	const good = "begin 1 7\ntask 1 1\nend 1\nbegin 3 8\ntask 2 3 complete\nend 3\nbegin 4 9\nend 4\n"
	if wrong := faults(good, 2); wrong != nil {
		t.Errorf("a good log: %v", wrong)
	}
	for name, log := range map[string]string{
		"done twice":       strings.Replace(good, "task 2 3 complete", "task 1 3\ntask 2 3 complete", 1),
		"overlap":          strings.Replace(good, "begin 3 8", "begin 3 8\noverlap 3", 1),
		"after a later":    strings.Replace(good, "begin 3 8", "begin 2 5\nbegin 3 8\ntask 2 2", 1),
		"completed twice":  good + "task 3 4 complete\n",
		"not completed":    strings.Replace(good, " complete", "", 1),
		"a lower number":   strings.Replace(good, "begin 4", "begin 3", 1),
		"one task missing": strings.Replace(good, "task 1 1\n", "", 1),
	} {
		if faults(log, 2) == nil {
			t.Errorf("%s: not found", name)
		}
	}
	if got := openTurns("begin 1 7\nend 1\nbegin 2 8\nbegin 3 9\nend 3\n"); len(got) != 1 || got[0] != 8 {
		t.Errorf("open turns %v, want that of process 8", got)
	}
}
