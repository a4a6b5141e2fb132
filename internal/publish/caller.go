package publish

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/state"
)

// Caller is an unattended turn that a change is made in: by the agent, as DWP_TURN says, or by who takes the turn.
type Caller struct {
	Turn  int
	Lease string // ID of the lease's owner
	// Untidy are the files that were somebody else's before the turn's task began; see the record of the turn.
	Untidy []string
	Task   int // that the turn is about; 0 for any, for who takes the turn and blocks what comes next; or NoTask
}

// NoTask is the task of a turn of which nothing tells what it is about: it may move none.
const NoTask = -1

// InTurn refuses what a turn may not do: anything when its lease is gone, and a change of a task that is not its own; task 0 is none.
// Doors of this package ask by themselves; it is for what does more than one of them, before it begins.
func (p Plan) InTurn(task int) error {
	if err := p.inTurn(); err != nil || task == 0 {
		return err
	}
	return p.Turn.about(task)
}

// inTurn refuses whom the lease of the plan doesn't belong to: an agent that outlived its turn, whose lease was released or given to
// another (C65), and one that strays to another plan.
func (p Plan) inTurn() error {
	if p.Turn == nil {
		return nil
	}
	held, err := disk.HoldsLease(p.FS, p.Turn.Lease)
	if err != nil || held {
		return err
	}
	return refuse("guard/turn-over", "turn %d doesn't hold the lease of this plan, or not any more", p.Turn.Turn)
}

// guard is asked right before a rename: lock and lease are still ours (GU-10, UN-2, C65).
func (p Plan) guard(lock *disk.Lock) func() error {
	if p.Turn == nil {
		return lock.Check
	}
	return func() error {
		if err := lock.Check(); err != nil {
			return err
		}
		return p.inTurn()
	}
}

// about refuses a change of another task than the turn's (UN-2).
func (c *Caller) about(task int) error {
	if c == nil || c.Task == 0 || c.Task == task {
		return nil
	}
	if c.Task == NoTask {
		return refuse("guard/turn-task", "the record of turn %d doesn't tell its task, so none may be moved", c.Turn)
	}
	return refuse("guard/turn-task", "turn %d is about task %d, not task %d", c.Turn, c.Task, task)
}

// ends refuses a publication that would complete another task than the turn's.
func (c *Caller) ends(st *state.State) error {
	for i := range st.Tasks {
		if st.Tasks[i].Status != state.Completed {
			if err := c.about(st.Tasks[i].ID); err != nil {
				return err
			}
		}
	}
	return nil
}

// StatesFile names the file, in the plan's folder, that holds which states were written in a turn. States reads it.
func StatesFile(turn int) string { return fmt.Sprintf("analysis_results/turns/%d.states", turn) }

const (
	// absent stands for the digest of a file that is not there.
	absent = "-"
	// maxStates bounds the file: some 30,000 writes, more than any turn that gets anywhere.
	maxStates = 4 << 20
)

// intend notes that a state is about to be written in the turn: a line with the digest of what stands now, and of what will. It comes before
// the write, under the lock, and is durable on its own: it belongs to no operation and no receipt. A crash, or a refusal in the last
// instant, leaves a line too many, which says nothing wrong: that state could have been written, by us.
func (p Plan) intend(after string) error {
	if p.Turn == nil {
		return nil
	}
	before, err := p.stateDigest()
	if err != nil || before == after {
		return err
	}
	name := StatesFile(p.Turn.Turn)
	lines, err := readStates(p.FS, name)
	if err != nil {
		return err
	}
	line := before + " " + after + "\n"
	if strings.HasSuffix(lines, "\n"+line) || lines == line { // tried before
		return nil
	}
	if err := disk.MkdirAll(p.FS, path.Dir(name)); err != nil {
		return err
	}
	return disk.WriteFile(p.FS, name, []byte(lines+line), disk.Options{})
}

// intendPending does so for the operation that a recovery is about to finish: another process may have begun it, in no turn.
func (p Plan) intendPending() error {
	if p.Turn == nil {
		return nil
	}
	op, err := disk.Pending(p.FS)
	if err != nil || op == nil {
		return nil // Recover says it better
	}
	for _, f := range op.Files {
		if f.Path == state.StateFile && f.After != "" {
			return p.intend(f.After)
		}
	}
	return nil
}

// stateDigest is that of state.json as it stands.
func (p Plan) stateDigest() (string, error) {
	data, err := fs.ReadFile(p.FS, state.StateFile)
	if errors.Is(err, fs.ErrNotExist) {
		return absent, nil
	}
	if err != nil {
		return "", err
	}
	return state.Digest(data), nil
}

// readStates reads the lines of a turn; none is no error.
func readStates(fsys fs.FS, name string) (string, error) {
	info, err := fs.Stat(fsys, name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err == nil && info.Size() > maxStates {
		err = fmt.Errorf("read %s: over %d bytes", name, maxStates)
	}
	if err != nil {
		return "", err
	}
	data, err := fs.ReadFile(fsys, name)
	return string(data), err
}

// States lists the digests of the states that were written in a turn, in order, as far as each goes on from one that is known: from, which
// stood when the turn began ("" for none), or one written before. One that goes on from a state which nobody here wrote ends the list:
// what was put into state.json by hand is not made good by writing on from it. nil when nothing was written.
func States(fsys fs.FS, turn int, from string) ([]string, error) {
	lines, err := readStates(fsys, StatesFile(turn))
	if err != nil {
		return nil, err
	}
	if from == "" {
		from = absent
	}
	known := map[string]bool{from: true}
	var list []string
	for line := range strings.Lines(lines) {
		before, after, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if !known[before] || after == "" {
			break
		}
		known[after] = true
		list = append(list, after)
	}
	return list, nil
}
