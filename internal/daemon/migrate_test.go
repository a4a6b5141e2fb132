package daemon

import (
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/deepworkplan/dwp/internal/daemontest"
)

// What is opened again is the same queue, and several that open a new one at once make it once.
func TestOpenMigratesOnce(t *testing.T) {
	onEach(t, func(t *testing.T, s *Store, c *clock) {
		w := Where{Clock: c.time}
		if s.pool != nil {
			w.URL = daemontest.Database(t)
		} else {
			w.File = filepath.Join(t.TempDir(), "odd ?#%41 name", "dwp.db")
		}
		names := make([]string, 4)
		var wg sync.WaitGroup
		for i := range names {
			wg.Go(func() {
				s, err := Open(t.Context(), w)
				if err != nil {
					t.Error(err)
					return
				}
				names[i] = s.Name()
				s.Close()
			})
		}
		wg.Wait()
		for _, name := range names {
			if name == "" || name != names[0] || name == s.Name() {
				t.Errorf("queues %q and %q, want one name, and not that of another database", names, s.Name())
			}
		}
	})
}

// Who only looks writes nothing, and waits for nobody who does. The embedded database has one writer.
func TestLookingWaitsForNoWriter(t *testing.T) {
	file := filepath.Join(t.TempDir(), "dwp.db")
	writer := openStore(t, Where{File: file})
	enqueue(t, writer, order("a"))
	tx, err := writer.db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	looker := openStore(t, Where{File: file}) // it would give up after busyTime
	if plans, err := looker.List(t.Context()); len(plans) != 1 || err != nil {
		t.Errorf("got %+v, %v; want one plan", plans, err)
	}
	if looker.Name() != writer.Name() {
		t.Errorf("got the queue %q, want %q", looker.Name(), writer.Name())
	}
}

// An older dwpd does not touch the tables of a newer one.
func TestOpenRefusesNewerTables(t *testing.T) {
	file := filepath.Join(t.TempDir(), "dwp.db")
	if _, err := openStore(t, Where{File: file}).db.Exec("UPDATE dwp_queue SET version = 99"); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), Where{File: file}); err == nil || !strings.Contains(err.Error(), "use a newer one") {
		t.Errorf("got %v, want that it is too old", err)
	}
}
