package dcli

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

var rewrite = flag.Bool("update", false, "rewrite the golden parts of the stories")

// The files of a plan that fake turns know.
const (
	tasksFile = "tasks"     // how many tasks there are
	actsFile  = "acts"      // how the next turns act, one word a line; without it, or at its end, they work
	logFile   = "turns.log" // what turns did
)

// makePlan makes the folder of a plan of so many tasks.
func makePlan(root, name string, tasks int) error {
	dir := filepath.Join(root, ".dwp", "plans", name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	readme := fmt.Sprintf("# %s\n\n## Tasks\n\n- [ ] 1. [Work](01_work.md)\n", name)
	if err := os.WriteFile(filepath.Join(dir, "README.md"), []byte(readme), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, tasksFile), []byte(strconv.Itoa(tasks)), 0o644)
}

// fakeTurn stands for "dwp turn": it does one task of a plan by a line in the plan's log, and says what dwp turn would say. Its lines are the
// proof of what ran when: each is appended in one write.
func fakeTurn(args []string) int {
	if len(args) > 0 && args[0] == "version" {
		fmt.Println(`{"command":"version","dwp":"(fake)"}`)
		return 0
	}
	if len(args) < 5 || args[0] != "turn" || args[2] != "--json" || args[3] != "--fence" {
		fmt.Fprintln(os.Stderr, "not called as a turn:", args)
		return 2
	}
	_, fence, _ := strings.Cut(args[4], ":")
	t := turnLog{filepath.Join(args[1], logFile), fence}
	if os.Getenv(urlVariable) != "" {
		return t.answer(2, "", "the daemon's database is known to the turn")
	}
	before := t.read()
	t.say(fmt.Sprintf("begin %s %d", fence, os.Getpid()))
	for _, pid := range openTurns(before) {
		if alive(pid) {
			t.say("overlap " + fence) // an earlier turn runs still
		}
	}
	code, result, note := t.act(args[1], before)
	t.say("end " + fence)
	return t.answer(code, result, note)
}

// turnLog is the log of a plan, for one turn.
type turnLog struct{ path, fence string }

func (t turnLog) read() string {
	data, _ := os.ReadFile(t.path)
	return string(data)
}

func (t turnLog) say(line string) {
	f, err := os.OpenFile(t.path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	f.WriteString(line + "\n")
}

func (t turnLog) answer(code int, result, note string) int {
	if result == "" {
		fmt.Printf("{\"error\":{\"code\":\"fake\",\"message\":%q,\"hint\":\"\"}}\n", note)
		return code
	}
	stop := "null"
	if note != "" {
		stop = fmt.Sprintf(`{"condition":"S2","reason":%q,"needs":"look at it"}`, note)
	}
	fmt.Printf("{\"result\":%q,\"task\":%d,\"stop\":%s}\n", result, strings.Count(t.read(), "task "), stop)
	return code
}

// act does what the turn is to do.
func (t turnLog) act(dir, before string) (code int, result, note string) {
	turns := strings.Count(before, "begin ")
	if acts, err := os.ReadFile(filepath.Join(dir, actsFile)); err == nil {
		if words := strings.Fields(string(acts)); turns < len(words) {
			switch words[turns] {
			case "nothing":
				return 1, "no-progress", ""
			case "blocked":
				return 5, "stopped", "an approval is missing"
			case "refused":
				return 1, "", "the plan is not approved"
			case "noagent":
				return 3, "", "the agent could not be run"
			}
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, tasksFile))
	if err != nil {
		return 3, "", err.Error()
	}
	tasks, done := number(bytes.TrimSpace(text)), strings.Count(before, "task ")
	if done >= tasks {
		return 0, "plan-completed", ""
	}
	work(turns)
	line := fmt.Sprintf("task %d %s", done+1, t.fence)
	if done+1 == tasks {
		line += " complete"
	}
	t.say(line)
	return 0, "completed", ""
}

// work takes some time, so that there is something to be killed in: mostly a moment, now and then longer than a dead-man time-out of the tests.
func work(turns int) {
	d := time.Duration(20+os.Getpid()%100) * time.Millisecond
	if (os.Getpid()+turns)%12 == 0 {
		d = 4 * time.Second
	}
	time.Sleep(d)
}

func number(text []byte) int {
	n, err := strconv.Atoi(string(text))
	if err != nil {
		panic(err)
	}
	return n
}

// openTurns are the processes of the turns that have begun and not ended.
func openTurns(log string) (pids []int) {
	begun := map[string]int{}
	for line := range strings.Lines(log) {
		switch words := strings.Fields(line); words[0] {
		case "begin":
			begun[words[1]] = number([]byte(words[2]))
		case "end":
			delete(begun, words[1])
		}
	}
	for _, pid := range begun {
		pids = append(pids, pid)
	}
	return pids
}

// faults tells what is wrong with the log of a plan whose tasks are all to be done: a turn that began while another ran, numbers of leases that
// don't grow, a task that was done twice or never, a plan that was completed twice, or work under a lease after a later one began.
func faults(log string, tasks int) (wrong []string) {
	last, task, completed := 0, 0, 0
	for i, line := range strings.Split(strings.TrimSpace(log), "\n") {
		words := strings.Fields(line)
		fault := func(text string) { wrong = append(wrong, fmt.Sprintf("line %d, %q: %s", i+1, line, text)) }
		if len(words) < 2 {
			fault("not a line of a log")
			continue
		}
		switch words[0] {
		case "begin":
			if fence := number([]byte(words[1])); fence <= last {
				fault("the number of the lease does not grow")
			} else {
				last = fence
			}
		case "overlap":
			fault("another turn ran")
		case "task":
			task++
			if words[1] != strconv.Itoa(task) {
				fault(fmt.Sprintf("want task %d", task))
			}
			if words[2] != strconv.Itoa(last) {
				fault(fmt.Sprintf("lease %d had begun", last))
			}
			if len(words) == 4 {
				completed++
			}
		}
	}
	if task != tasks || completed != 1 {
		wrong = append(wrong, fmt.Sprintf("%d tasks done of %d, completed %d times", task, tasks, completed))
	}
	return wrong
}

// patience is how long other processes may take to bring something about.
const patience = 2 * time.Minute

// eventually asks again and again whether something holds that other processes bring about.
func eventually(limit time.Duration, holds func() bool) error {
	for deadline := time.Now().Add(limit); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		if holds() {
			return nil
		}
	}
	return fmt.Errorf("it did not come about in %s", limit)
}
