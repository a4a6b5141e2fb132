package disk_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/disk"
)

// FuzzOwnerFile: whatever stands in an owner file, it is shown, never reclaimed without proof, and cleared by its ID.
func FuzzOwnerFile(f *testing.F) {
	for _, seed := range []string{"", "{}", `{"pid":100}`,
		`{"agent":"a","pid":100,"process_start":"5000","boot_id":"boot-1","host":"box","pid_namespace":"pid:[1]","since":"2026-03-01T12:00:00Z"}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		twin, sys := disk.NewTwin(), newScene().system(7)
		must(t, twin.Put("state.json.lock/owner-1.json", content, 0o644))
		h, err := disk.Inspect(twin, sys)
		must(t, err)
		if len(h.Holders) != 1 || h.Holders[0].ID != "1" || h.Holders[0].Err != nil && h.Holders[0].Liveness != disk.Unknown {
			t.Errorf("shown as %+v", h)
		}
		if _, err := disk.ReclaimDead(twin, sys); (err == nil) != (h.Holders[0].Liveness == disk.Dead) {
			t.Errorf("reclaim: %v of %+v", err, h)
		}
	})
}

// FuzzOperationFile: whatever stands in op.json, recovery changes nothing on a guess and never reaches outside.
func FuzzOperationFile(f *testing.F) {
	hash := strings.Repeat("0", 64)
	for _, seed := range []string{"", "[]", `{"version":1,"operation":"x","arguments":["a"],"files":[{"path":"README.md","before":null,"after":"` + hash + `"}]}`,
		`{"version":1,"operation":"x","arguments":[],"files":[{"path":"../a","before":"` + hash + `","after":null}]}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		twin := planTwin(t)
		must(t, twin.Put(".dwp-op/op.json", content, 0o644))
		before := twin.Tree()
		_, err := disk.Recover(twin)
		if err != nil && !maps.Equal(twin.Tree(), before) {
			t.Errorf("refused with %v, but changed to %v", err, twin.Tree())
		}
		if err == nil && !maps.Equal(twin.Tree(), planFiles) {
			// The fuzzer knows no digests: what is accepted can only be a removal of what is not there.
			t.Errorf("recovered to %v", twin.Tree())
		}
	})
}
