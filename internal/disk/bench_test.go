package disk_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/deepworkplan/dwp/internal/disk"
)

// BenchmarkWriteFile alternates WriteFile with the bare sequence write, fsync, rename, fsync folder of the same bytes in one
// run, so that both meet the same disk, and reports the ratio.
func BenchmarkWriteFile(b *testing.B) {
	for _, size := range []int{2 << 10, 64 << 10, 5 << 20} {
		b.Run(fmt.Sprint(size>>10, "KiB"), func(b *testing.B) {
			dir, data := b.TempDir(), bytes.Repeat([]byte("x"), size)
			f, err := disk.Open(dir)
			if err != nil {
				b.Fatal(err)
			}
			defer f.Close()
			var ours, bare time.Duration
			for b.Loop() {
				begin := time.Now()
				err := disk.WriteFile(f, "state.json", data, disk.Options{})
				middle := time.Now()
				err = errors.Join(err, bareWrite(dir, data))
				ours, bare = ours+middle.Sub(begin), bare+time.Since(middle)
				if err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(ours)/float64(bare), "times-bare")
			b.ReportMetric(float64(ours.Microseconds())/float64(b.N), "us/write")
			b.ReportMetric(float64(bare.Microseconds())/float64(b.N), "us/bare")
		})
	}
}

func bareWrite(dir string, data []byte) error {
	temp := filepath.Join(dir, "bare.tmp")
	f, err := os.Create(temp)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Sync(), f.Close(), os.Rename(temp, filepath.Join(dir, "bare.json")))
	d, derr := os.Open(dir)
	if derr != nil {
		return derr
	}
	return errors.Join(err, d.Sync(), d.Close())
}

// BenchmarkLock is what the lock adds to an update.
func BenchmarkLock(b *testing.B) {
	f, err := disk.Open(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	for b.Loop() {
		l, err := disk.Acquire(b.Context(), f, disk.Owner{Agent: "bench"}, 0, disk.System{})
		if err == nil {
			err = errors.Join(l.Check(), l.Release())
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}
