package disk

import (
	"errors"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// thisProcess tells what the system knows of the running process, but for its number and host.
func thisProcess() Process {
	var p Process
	if boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id"); err == nil {
		p.Boot = strings.TrimSpace(string(boot))
	}
	p.Namespace, _ = os.Readlink("/proc/self/ns/pid")
	p.Start, _ = processStart(os.Getpid())
	return p
}

// processStart asks the kernel first: /proc may hide the processes of others. A zombie is dead: it writes nothing
// any more.
func processStart(pid int) (start string, runs bool) {
	if pid <= 0 {
		return "", true
	}
	if err := syscall.Kill(pid, 0); errors.Is(err, syscall.ESRCH) {
		return "", false
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return "", true
	}
	return parseStat(string(stat))
}

// parseStat reads proc_pid_stat(5): the program's name, in parentheses, may itself hold spaces and parentheses;
// after it stand the state (field 3) and, as field 22, the start time.
func parseStat(stat string) (start string, runs bool) {
	const fieldState, fieldStart = 0, 22 - 3 // counted from field 3
	fields := strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])
	if len(fields) <= fieldStart {
		return "", true
	}
	if s := fields[fieldState]; s == "Z" || s == "X" {
		return "", false
	}
	return fields[fieldStart], true
}
