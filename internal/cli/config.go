package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/deepworkplan/dwp/internal/agent"
)

// config reads .dwp/config.json, beside the plans; without one it is the defaults. The file names programs that are run and variables
// that they get, and may have come with a stranger's repository: only the commands that a person calls to run agents, or to look
// at them, ask for it (AG-5).
func (a *app) config() (*agent.Config, error) {
	path, err := a.configPath()
	if err != nil {
		return nil, err
	}
	data, err := readPlain(path, agent.MostConfig)
	if errors.Is(err, fs.ErrNotExist) {
		return agent.Defaults(), nil
	}
	if err != nil {
		return nil, cannot("bad-config", "put a plain file there, or take it away", "read %q: %s", path, cause(err))
	}
	c, err := agent.ParseConfig(path, data)
	if e, ok := errors.AsType[*agent.ConfigError](err); ok {
		return nil, configFailure(e)
	}
	return c, err
}

// configPath is where the configuration stands, whether it is there or not.
func (a *app) configPath() (string, error) {
	root, err := a.root()
	if err != nil {
		return "", err
	}
	return filepath.Join(filepath.Dir(root.Plans), agent.ConfigName), nil
}

// configFailure tells the first fault in full, and how many there are.
func configFailure(e *agent.ConfigError) *failure {
	first := e.Faults[0]
	message := (&agent.ConfigError{File: e.File, Faults: e.Faults[:1]}).Error()
	if more := len(e.Faults) - 1; more > 0 {
		message += fmt.Sprintf(" (and %d more)", more)
	}
	hint := first.Hint
	if hint == "" {
		hint = "dwp schema config prints what the file may hold"
	}
	return cannot("bad-config", hint, "%s", cleanLine(message))
}

// agentFailure is what an agent's own fault means for a call: its words are off.
func agentFailure(err error) error {
	if f, ok := errors.AsType[*agent.Fault](err); ok {
		return usage("bad-agent", f.Hint, "%s", f.Message)
	}
	return err
}

// readPlain reads a plain file, most bytes and one more at most. A link is refused: it may lead to a file that others write. So is what
// took the file's place since it was looked at.
func readPlain(path string, most int64) ([]byte, error) {
	seen, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !seen.Mode().IsRegular() {
		return nil, errors.New("not a plain file")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	opened, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !os.SameFile(seen, opened) {
		return nil, errors.New("another file took its place meanwhile")
	}
	return io.ReadAll(io.LimitReader(f, most+1))
}
