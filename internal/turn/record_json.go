package turn

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/strictjson"
)

// This file: a record as JSON. Members have the names of the fields in lower case; times are RFC 3339 in UTC and durations as Go writes
// them ("1m30s"); what is not known is null.

// recordVersion is the form of the records; another one is not guessed at.
const recordVersion = 1

// Format writes a record as JSON.
func (r *Record) Format() []byte {
	return strictjson.Format(strictjson.NewObject(
		member("version", strictjson.NewInt(recordVersion)),
		member("n", strictjson.NewInt(r.N)),
		member("id", text(r.ID)),
		member("plan", text(r.Plan)),
		member("task", strictjson.NewInt(r.Task)),
		member("agent", text(r.Agent)),
		member("model", text(r.Model)),
		member("queue", text(r.Queue)),
		member("fence", number(r.Fence)),
		member("started", moment(r.Started)),
		member("ended", moment(r.Ended)),
		member("process", strictjson.NewObject(
			member("pid", strictjson.NewInt(r.Process.PID)),
			member("start", text(r.Process.Start)),
			member("boot", text(r.Process.Boot)),
			member("host", text(r.Process.Host)),
			member("namespace", text(r.Process.Namespace)))),
		member("result", text(string(r.Result))),
		member("stop", r.Stop.value()),
		member("run", r.Run.value()),
		member("before", r.Before.value()),
		member("after", r.After.value()),
		member("gained", strictjson.NewObject(
			member("completed", strictjson.NewBool(r.Gained.Completed)),
			member("gates", texts(r.Gained.Gates)),
			member("checkpoint", strictjson.NewBool(r.Gained.Checkpoint)),
			member("commits", texts(r.Gained.Commits)),
			member("criteria", strictjson.NewInt(r.Gained.Criteria)))),
		member("surface", strictjson.NewObject(
			member("planned", texts(r.Surface.Planned)),
			member("declared", texts(r.Surface.Declared)),
			member("changed", texts(r.Surface.Changed)),
			member("outside", texts(r.Surface.Outside)))),
		member("findings", findings(r.Findings)),
		member("untidy", texts(r.Untidy)),
	))
}

func (s *Stop) value() *strictjson.Value {
	if s == nil {
		return strictjson.NewNull()
	}
	return strictjson.NewObject(
		member("condition", text(string(s.Condition))),
		member("rule", text(s.Rule)),
		member("task", strictjson.NewInt(s.Task)),
		member("reason", text(s.Reason)),
		member("needs", text(s.Needs)))
}

func (r *Run) value() *strictjson.Value {
	if r == nil {
		return strictjson.NewNull()
	}
	cost := strictjson.NewNull()
	if r.Report.HasCost {
		cost = &strictjson.Value{Kind: strictjson.Number, Text: strconv.FormatFloat(r.Report.Cost, 'g', -1, 64)}
	}
	return strictjson.NewObject(
		member("end", text(r.End)),
		member("code", strictjson.NewInt(r.Code)),
		member("duration", text(r.Duration.String())),
		member("report", strictjson.NewObject(
			member("conversation", text(r.Report.Conversation)),
			member("failed", strictjson.NewBool(r.Report.Failed)),
			member("text", text(r.Report.Text)),
			member("cost", cost))),
		member("log", text(r.Log)),
		member("log_sha256", text(r.LogSHA)),
		member("cut", number(r.Cut)))
}

func (s *Standing) value() *strictjson.Value {
	return strictjson.NewObject(
		member("state_sha256", text(s.StateSHA256)),
		member("readme_sha256", text(s.ReadmeSHA256)),
		member("head", text(s.Head)),
		member("dirty", strictjson.NewInt(s.Dirty)))
}

func findings(list []Finding) *strictjson.Value {
	all := strictjson.NewArray()
	for _, f := range list {
		all.Elems = append(all.Elems, strictjson.NewObject(member("id", text(f.ID)), member("message", text(f.Message))))
	}
	return all
}

func member(name string, v *strictjson.Value) strictjson.Member {
	return strictjson.Member{Name: name, Value: v}
}

func text(s string) *strictjson.Value { return strictjson.NewString(s) }

func number(n int64) *strictjson.Value {
	return &strictjson.Value{Kind: strictjson.Number, Text: strconv.FormatInt(n, 10)}
}

func texts(list []string) *strictjson.Value {
	all := strictjson.NewArray()
	for _, s := range list {
		all.Elems = append(all.Elems, text(s))
	}
	return all
}

func moment(t time.Time) *strictjson.Value {
	if t.IsZero() {
		return strictjson.NewNull()
	}
	return text(t.UTC().Format(time.RFC3339Nano))
}

// ParseRecord reads a record. Members that it doesn't know are no error: a later dwp may have written them. One that is missing has its
// zero value, but for those without which it is no record of a turn: version, n, plan and result.
func ParseRecord(data []byte) (*Record, error) {
	doc, err := strictjson.Parse(data)
	if err != nil {
		return nil, err
	}
	if doc.Root.Kind != strictjson.Object {
		return nil, fmt.Errorf("no object")
	}
	d := &decoder{}
	o := object{d, doc.Root, ""}
	if v := o.int("version"); v != recordVersion && d.err == nil {
		return nil, fmt.Errorf("version %d is none that is known", v)
	}
	r := &Record{
		N: o.int("n"), ID: o.text("id"), Plan: o.text("plan"), Task: o.int("task"), Agent: o.text("agent"), Model: o.text("model"),
		Queue: o.text("queue"), Fence: o.int64("fence"), Started: o.time("started"), Ended: o.time("ended"), Result: Result(o.text("result")),
		Stop: o.stop(), Run: o.run(), Before: o.standing("before"), After: o.standing("after"), Gained: o.gained(), Surface: o.surface(),
		Findings: o.findings(), Untidy: o.texts("untidy"),
	}
	if p, ok := o.object("process"); ok {
		r.Process = disk.Process{PID: p.int("pid"), Start: p.text("start"), Boot: p.text("boot"), Host: p.text("host"), Namespace: p.text("namespace")}
	}
	switch {
	case d.err != nil:
		return nil, d.err
	case r.N < 1 || r.Plan == "" || r.Result == "":
		return nil, fmt.Errorf("no record of a turn: n, plan or result is missing")
	}
	return r, nil
}

func (o object) stop() *Stop {
	s, ok := o.object("stop")
	if !ok {
		return nil
	}
	return &Stop{Condition: Condition(s.text("condition")), Rule: s.text("rule"), Task: s.int("task"), Reason: s.text("reason"), Needs: s.text("needs")}
}

func (o object) run() *Run {
	r, ok := o.object("run")
	if !ok {
		return nil
	}
	run := &Run{End: r.text("end"), Code: r.int("code"), Duration: r.duration("duration"), Log: r.text("log"), LogSHA: r.text("log_sha256"), Cut: r.int64("cut")}
	if t, ok := r.object("report"); ok {
		run.Report = Told{Conversation: t.text("conversation"), Failed: t.bool("failed"), Text: t.text("text")}
		run.Report.Cost, run.Report.HasCost = t.float("cost")
	}
	return run
}

func (o object) standing(name string) Standing {
	s, _ := o.object(name)
	return Standing{StateSHA256: s.text("state_sha256"), ReadmeSHA256: s.text("readme_sha256"), Head: s.text("head"), Dirty: s.int("dirty")}
}

func (o object) gained() Gained {
	g, _ := o.object("gained")
	return Gained{Completed: g.bool("completed"), Gates: g.texts("gates"), Checkpoint: g.bool("checkpoint"), Commits: g.texts("commits"), Criteria: g.int("criteria")}
}

func (o object) surface() Surface {
	s, _ := o.object("surface")
	return Surface{Planned: s.texts("planned"), Declared: s.texts("declared"), Changed: s.texts("changed"), Outside: s.texts("outside")}
}

func (o object) findings() []Finding {
	var list []Finding
	for i, e := range o.array("findings") {
		f := object{o.d, e, "findings[" + strconv.Itoa(i) + "]."}
		if e.Kind != strictjson.Object {
			o.d.wrong("findings", "an array of objects")
			return nil
		}
		list = append(list, Finding{ID: f.text("id"), Message: f.text("message")})
	}
	return list
}

// decoder keeps the first member that is not what it should be.
type decoder struct{ err error }

func (d *decoder) wrong(path, want string) {
	if d.err == nil {
		d.err = fmt.Errorf("%s is not %s", path, want)
	}
}

// object reads members of a value by name; at is the path before them. That of a member that is missing is nil.
type object struct {
	d  *decoder
	v  *strictjson.Value
	at string
}

// member is a member of a kind; nil when it is missing, null or of another kind, which is an error.
func (o object) member(name string, want string, kinds ...strictjson.Kind) *strictjson.Value {
	if o.v == nil {
		return nil
	}
	switch m := o.v.Member(name); {
	case m == nil || m.Kind == strictjson.Null:
		return nil
	case slices.Contains(kinds, m.Kind):
		return m
	}
	o.d.wrong(o.at+name, want)
	return nil
}

func (o object) object(name string) (object, bool) {
	m := o.member(name, "an object", strictjson.Object)
	return object{o.d, m, o.at + name + "."}, m != nil
}

func (o object) text(name string) string {
	if m := o.member(name, "a string", strictjson.String); m != nil {
		return m.Text
	}
	return ""
}

func (o object) bool(name string) bool {
	m := o.member(name, "true or false", strictjson.Bool)
	return m != nil && m.Text == "true"
}

func (o object) int64(name string) int64 {
	m := o.member(name, "a whole number", strictjson.Number)
	if m == nil {
		return 0
	}
	n, err := strconv.ParseInt(m.Text, 10, 64)
	if err != nil {
		o.d.wrong(o.at+name, "a whole number")
	}
	return n
}

func (o object) int(name string) int {
	n := o.int64(name)
	if int64(int(n)) != n {
		o.d.wrong(o.at+name, "a whole number of this machine")
	}
	return int(n)
}

func (o object) float(name string) (float64, bool) {
	m := o.member(name, "a number", strictjson.Number)
	if m == nil {
		return 0, false
	}
	f, err := strconv.ParseFloat(m.Text, 64)
	if err != nil {
		o.d.wrong(o.at+name, "a number")
	}
	return f, err == nil
}

func (o object) time(name string) time.Time {
	s := o.text(name)
	if s == "" {
		return time.Time{}
	}
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		o.d.wrong(o.at+name, "a time of RFC 3339")
	}
	return t.UTC()
}

func (o object) duration(name string) time.Duration {
	s := o.text(name)
	if s == "" {
		return 0
	}
	d, err := time.ParseDuration(s)
	if err != nil {
		o.d.wrong(o.at+name, "a duration")
	}
	return d
}

func (o object) array(name string) []*strictjson.Value {
	if m := o.member(name, "an array", strictjson.Array); m != nil {
		return m.Elems
	}
	return nil
}

func (o object) texts(name string) []string {
	var list []string
	for _, e := range o.array(name) {
		if e.Kind != strictjson.String {
			o.d.wrong(o.at+name, "an array of strings")
			return nil
		}
		list = append(list, e.Text)
	}
	return list
}
