package dcli

import (
	"bytes"
	"fmt"
	"os"
	"syscall"
)

// dieWithParent ends this process when the one that started it dies.
func dieWithParent() {
	const setDeathSignal = 1 // PR_SET_PDEATHSIG
	syscall.RawSyscall(syscall.SYS_PRCTL, setDeathSignal, uintptr(syscall.SIGKILL), 0)
	if os.Getppid() == 1 {
		os.Exit(1) // it died before
	}
}

// alive reports whether a process runs; one that has ended and is not yet waited for doesn't.
func alive(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, rest, _ := bytes.Cut(stat, []byte(") "))
	return len(rest) > 0 && rest[0] != 'Z' && rest[0] != 'X'
}
