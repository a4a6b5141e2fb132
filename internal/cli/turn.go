package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/turn"
)

// turnVariable tells an agent's commands that they run inside an unattended turn. As "12-6f1d0c9b2a7e4f58" it names turn and lease; any
// other value says no more than that there is a turn.
const turnVariable = "DWP_TURN"

// inTurn reports whether the caller is an agent inside an unattended turn (UN-6, LF-7): it claims no person's authority.
func (a *app) inTurn() bool { return a.env.Getenv(turnVariable) != "" }

// turnOf takes turn and lease out of a value of DWP_TURN.
func turnOf(value string) (c publish.Caller, ok bool) {
	number, lease, _ := strings.Cut(value, "-")
	n, err := strconv.Atoi(number)
	if err != nil || n <= 0 || strconv.Itoa(n) != number || len(lease) != disk.IDLength || strings.Trim(lease, "0123456789abcdef") != "" {
		return publish.Caller{}, false
	}
	return publish.Caller{Turn: n, Lease: lease}, true
}

// caller is the turn that the caller is in, with its task as the turn's record in the plan has it; nil outside a turn, or when DWP_TURN names
// none. A record that is not there, or is of another lease, as in a plan that is not the turn's, tells no task: then none may be moved.
func (a *app) caller(fsys disk.FS) *publish.Caller {
	c, ok := turnOf(a.env.Getenv(turnVariable))
	if !ok {
		return nil
	}
	c.Task = publish.NoTask
	var record struct {
		ID     string   `json:"id"`
		Task   int      `json:"task"`
		Untidy []string `json:"untidy"`
	}
	data, err := turnRecord(fsys, c.Turn)
	if err == nil && json.Unmarshal(data, &record) == nil && record.ID == c.Lease && record.Task > 0 {
		c.Task, c.Untidy = record.Task, record.Untidy
	}
	return &c
}

// turnRecord reads the record of a turn, bounded; how it went on is for others to judge.
func turnRecord(fsys disk.FS, n int) ([]byte, error) {
	const most = 16 << 20
	f, err := fsys.Open(fmt.Sprintf("%s/%d.json", turn.Dir, n))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, most))
}
