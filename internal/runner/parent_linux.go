package runner

import (
	"os/exec"
	"runtime"
	"syscall"
)

// withParent has the kernel kill a command when its parent dies. To the kernel the parent is the thread that started it, so that thread
// is kept for this goroutine until release. What the command starts itself is not killed with it: see EndByEnv.
func withParent(cmd *exec.Cmd) (release func()) {
	runtime.LockOSThread()
	cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL
	return runtime.UnlockOSThread
}
