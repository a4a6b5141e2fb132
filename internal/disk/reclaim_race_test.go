package disk_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/disk"
)

// meddled lets something happen once, right before a name is removed.
type meddled struct {
	disk.FS
	name string // its last part, up to what is random
	once func()
}

func (m *meddled) Remove(name string) error {
	if once := m.once; once != nil && strings.HasPrefix(name[strings.LastIndexByte(name, '/')+1:], m.name) {
		m.once = nil
		once()
	}
	return m.FS.Remove(name)
}

// TestReclaimRace (GU-10, UN-2): two see the same dead owner, and the other is quicker, wherever the first one stands: the lease that the
// other took meanwhile, as that of anybody after it, stays, and the first one gets none.
func TestReclaimRace(t *testing.T) {
	for _, at := range []string{"owner-", disk.LeaseDir} {
		eachFS(t, func(t *testing.T, w world) {
			s := newScene()
			takeLease(t, w, numbered("", 0), s.system(100))
			delete(s.runs, 100)
			var third *disk.Lock
			m := &meddled{FS: w, name: at, once: func() {
				if at == disk.LeaseDir { // the folder without an owner, which only a person clears
					_, err := disk.ClearLease(w, disk.UnknownOwner, s.system(8))
					must(t, err)
				} else if gone, err := disk.ReclaimLease(w, disk.Fence{}, s.system(8)); len(gone) != 1 || err != nil {
					t.Errorf("the other reclaimed %v, %v", gone, err)
				}
				third = takeLease(t, w, numbered("", 0), s.system(8))
			}}
			gone, err := disk.ReclaimLease(m, disk.Fence{}, s.system(7))
			if want := map[string]int{"owner-": 0, disk.LeaseDir: 1}[at]; len(gone) != want || err != nil {
				t.Errorf("%s: reclaimed %v, %v, want %d", at, gone, err, want)
			}
			_, err = disk.AcquireLease(t.Context(), m, disk.Owner{}, s.system(7))
			if _, locked := errors.AsType[*disk.LockedError](err); !locked {
				t.Errorf("%s: taken from the third: %v", at, err)
			}
			must(t, third.Check())
		})
	}
}
