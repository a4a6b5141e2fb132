package cli

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// terminal opens a pseudo-terminal: what is written to keys is typed, and what programs at screen write is read from keys.
func terminal(t *testing.T) (keys, screen *os.File) {
	t.Helper()
	keys, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { keys.Close() })
	var locked, number int32
	for request, value := range map[uintptr]*int32{syscall.TIOCSPTLCK: &locked, syscall.TIOCGPTN: &number} {
		if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, keys.Fd(), request, uintptr(unsafe.Pointer(value))); errno != 0 {
			t.Skip(errno)
		}
	}
	screen, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	// Without this the kernel may throw away what the program writes while it handles Ctrl-C.
	var mode syscall.Termios
	for _, request := range []uintptr{syscall.TCGETS, syscall.TCSETS} {
		if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, screen.Fd(), request, uintptr(unsafe.Pointer(&mode))); errno != 0 {
			t.Skip(errno)
		}
		mode.Lflag |= syscall.NOFLSH
	}
	return keys, screen
}

// atTerminal starts dwp at a terminal and hands the key presses over one after the other: each when the text before it has appeared.
func atTerminal(t *testing.T, dir string, presses [][2]string, args ...string) (code int, seen string) {
	t.Helper()
	keys, screen := terminal(t)
	cmd := dwpProcess(t, append([]string{"create", "--ask"}, args...)...)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, screen, screen, screen
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	screen.Close()
	guard := time.AfterFunc(30*time.Second, func() { cmd.Process.Kill() })
	defer guard.Stop()
	var all bytes.Buffer
	read := 0 // how far the screen was waited for
	buffer := make([]byte, 4096)
	for {
		for len(presses) > 0 {
			at := strings.Index(all.String()[read:], presses[0][0])
			if at < 0 {
				break
			}
			read += at + len(presses[0][0])
			if _, err := keys.WriteString(presses[0][1]); err != nil {
				t.Fatal(err)
			}
			presses = presses[1:]
		}
		n, err := keys.Read(buffer)
		if err != nil { // the program has closed the terminal
			break
		}
		all.Write(buffer[:n])
	}
	err := cmd.Wait()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		t.Fatal(err)
	}
	if len(presses) > 0 {
		t.Errorf("never seen: %q\n%s", presses[0][0], all.String())
	}
	return cmd.ProcessState.ExitCode(), strings.ReplaceAll(all.String(), "\r\n", "\n")
}

// C145: at a real terminal: a whole interview; Ctrl-D; Ctrl-C; nobody there.
func TestAskAtATerminal(t *testing.T) {
	dir := outlineFile(t)
	var presses [][2]string
	for line := range strings.Lines(askAnswers) {
		presses = append(presses, [2]string{"> ", line})
	}
	code, seen := atTerminal(t, dir, presses)
	if code != ExitOK || !strings.Contains(seen, "Write this plan?") {
		t.Fatalf("code %d\n%s", code, seen)
	}
	verify := dwpProcess(t, "verify", "--strict") // by the process's own clock
	verify.Dir = dir
	if said, err := verify.CombinedOutput(); err != nil {
		t.Errorf("verify: %v %s", err, said)
	}
	for name, c := range map[string]struct {
		keys string
		code int
		said string
	}{
		"Ctrl-D": {"\x04", ExitNo, "cancelled: the input ended; nothing was written"},
		"Ctrl-C": {"\x03", ExitInterrupted, "interrupted; nothing was written"},
		"nobody": {"", ExitUsage, "no answer came within 1s; nothing was written"},
	} {
		limit := "20s"
		if c.keys == "" {
			limit = "1s"
		}
		code, seen := atTerminal(t, dir, [][2]string{{"> ", "Other work\n"}, {"to be reached?", ""}, {"> ", c.keys}}, "--ask-timeout", limit)
		if code != c.code || !strings.Contains(seen, c.said) {
			t.Errorf("%s: code %d\n%s", name, code, seen)
		}
		if _, err := os.Stat(filepath.Join(dir, ".dwp", "plans", "PLAN_other_work")); err == nil {
			t.Errorf("%s: a plan was written", name)
		}
	}
}
