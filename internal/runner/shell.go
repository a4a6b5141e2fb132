package runner

import (
	"context"
	"os/exec"
	"strings"
	"time"
)

// Shell is the shell that runs a command line.
type Shell struct {
	Args []string // the program and its options; the line follows
	// Pipefail says that a pipe fails when any of its parts does; else its status is the last part's alone (C77).
	Pipefail bool
}

// probeTimeout bounds the question whether a shell has pipefail.
const probeTimeout = 5 * time.Second

// FindShell finds a shell, bash before sh, with pipefail when it has that: asked, not guessed, since only some sh do. It reports
// false when there is no shell at all.
func FindShell(ctx context.Context, env []string) (Shell, bool) {
	for _, name := range []string{"bash", "sh"} {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		ctx, cancel := context.WithTimeout(ctx, probeTimeout)
		probe := exec.CommandContext(ctx, path, "-o", "pipefail", "-c", ":")
		probe.Env = env
		err = probe.Run()
		cancel()
		if err == nil {
			return Shell{[]string{name, "-o", "pipefail", "-c"}, true}, true
		}
		if name == "sh" {
			return Shell{[]string{name, "-c"}, false}, true
		}
	}
	return Shell{}, false
}

// Quote writes arguments as one line that a POSIX shell reads as the same arguments, so that it can be pasted.
func Quote(args []string) string {
	quoted := make([]string, len(args))
	for i, arg := range args {
		quoted[i] = quote(arg)
		// A word with "=" before the program would set a variable.
		if i == 0 && strings.Contains(arg, "=") && quoted[i] == arg {
			quoted[i] = "'" + arg + "'"
		}
	}
	return strings.Join(quoted, " ")
}

func quote(arg string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%"
	if arg != "" && strings.Trim(arg, plain) == "" {
		return arg
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}
