package disk

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/deepworkplan/dwp/internal/strictjson"
)

// Owner is who holds a lock, as it stands in the owner file. Acquire fills in what the caller leaves empty,
// but for Agent and Command.
type Owner struct {
	ID      string // random; part of the owner file's name, not of its content
	Agent   string // display name at most (PS-7)
	Command string // what it is doing
	Process
	Since time.Time
	Fence Fence // of a lease that a queue gave; zero without one
}

// Process is a process that can be told from every other, also from a later one with its number (C61). What the
// system does not tell is "".
type Process struct {
	PID   int
	Start string // clock ticks from boot to its start
	Boot  string // ID of the boot
	Host  string
	// Namespace is the process-number namespace: in two containers of one host, one number is two processes.
	Namespace string
}

// Liveness says whether a lock's owner still runs.
type Liveness string

// The answers. Dead is said only on proof: same host, boot and namespace, and no process of that number, or a
// later one that got the number.
const (
	Alive   Liveness = "alive"
	Dead    Liveness = "dead"
	Unknown Liveness = "unknown"
)

// liveness compares a recorded process with what the system tells.
func (s System) liveness(p Process) Liveness {
	self := s.self()
	if p.PID <= 0 || self.Boot == "" || self.Host == "" || self.Namespace == "" {
		return Unknown
	}
	if p.Boot != self.Boot || p.Host != self.Host || p.Namespace != self.Namespace {
		return Unknown
	}
	start, runs := s.start(p.PID)
	switch {
	case !runs:
		return Dead
	case start == "" || p.Start == "":
		return Unknown
	case start == p.Start:
		return Alive
	}
	return Dead
}

// format writes the owner file.
func (o Owner) format() []byte {
	v := strictjson.NewObject()
	v.Set("agent", strictjson.NewString(o.Agent))
	v.Set("pid", strictjson.NewInt(o.PID))
	v.Set("process_start", strictjson.NewString(o.Start))
	v.Set("boot_id", strictjson.NewString(o.Boot))
	v.Set("host", strictjson.NewString(o.Host))
	v.Set("pid_namespace", strictjson.NewString(o.Namespace))
	v.Set("since", strictjson.NewString(o.Since.UTC().Format(time.RFC3339Nano)))
	v.Set("command", strictjson.NewString(o.Command))
	if o.Fence != (Fence{}) {
		v.Set("queue", strictjson.NewString(o.Fence.Queue))
		v.Set("fence", &strictjson.Value{Kind: strictjson.Number, Text: strconv.FormatInt(o.Fence.Number, 10)})
	}
	return strictjson.Format(v)
}

// parseOwner reads an owner file. A killed writer or a power cut may have left it in part.
func parseOwner(id string, data []byte) (Owner, error) {
	doc, err := strictjson.Parse(data)
	if err != nil {
		return Owner{}, fmt.Errorf("owner record: %w", err)
	}
	text := func(name string) string {
		if v := doc.Root.Member(name); v != nil && v.Kind == strictjson.String {
			return v.Text
		}
		return ""
	}
	o := Owner{ID: id, Agent: text("agent"), Command: text("command")}
	o.Process = Process{Start: text("process_start"), Boot: text("boot_id"), Host: text("host"), Namespace: text("pid_namespace")}
	pid := doc.Root.Member("pid")
	if pid == nil || pid.Kind != strictjson.Number {
		return o, errors.New("owner record: no process number")
	}
	if o.PID, err = strconv.Atoi(pid.Text); err != nil {
		return o, fmt.Errorf("owner record: process number %q", pid.Text)
	}
	if o.Since, err = time.Parse(time.RFC3339Nano, text("since")); err != nil {
		return o, fmt.Errorf("owner record: since %q is no time", text("since"))
	}
	if n := doc.Root.Member("fence"); n != nil {
		number, err := strconv.ParseInt(n.Text, 10, 64)
		if err != nil || n.Kind != strictjson.Number {
			return o, fmt.Errorf("owner record: fence %q is no number", n.Text)
		}
		o.Fence = Fence{Queue: text("queue"), Number: number}
	}
	return o, nil
}

// String names the owner so that a person can look for it: number, start and host (C61), and the agent when it gave its name.
func (o Owner) String() string {
	who := fmt.Sprintf("process %d (", o.PID)
	if o.Agent != "" {
		who = fmt.Sprintf("%q (process %d, ", o.Agent, o.PID)
	}
	return who + fmt.Sprintf("started at tick %s, on %q) since %s", orUnknown(o.Start), orUnknown(o.Host), o.Since.UTC().Format(time.RFC3339))
}

func orUnknown(text string) string {
	if text == "" {
		return "unknown"
	}
	return text
}
