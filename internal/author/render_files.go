package author

import (
	"fmt"
	"strings"
	"time"

	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/strictjson"
)

// analysis renders PLAN_ANALYSIS.md: the request and the judgement, for a person who asks why the plan looks as it does.
func (d *draft) analysis() string {
	var p page
	p.heading(1, "Analysis of "+d.Name)
	p.heading(2, "Request")
	p.paragraph(or(quote(d.Objective), "The request was the outline; no words were given beside it."))
	p.heading(2, "Choice of format")
	p.bullets("- ", d.selection())
	p.heading(2, "Tasks at creation")
	var b strings.Builder
	b.WriteString("| No. | Title | Risk class | Waits for | Gates |\n|---|---|---|---|---|\n")
	for i := range d.tasks {
		t := &d.tasks[i]
		waits := "all before it"
		if t.HasDepends {
			waits = or(numberList(t.DependsOn), "none")
		}
		if i == 0 {
			waits = "none"
		}
		fmt.Fprintf(&b, "| %d | %s | %s | %s | %d |\n", i+1, escape(oneLine(t.Title)), riskOf(t.Surface.Risk), waits, len(t.Gates))
	}
	p.paragraph(b.String())
	return p.text()
}

// quote renders words as a quotation, so that nothing in them is structure.
func quote(text string) string {
	if text == "" {
		return ""
	}
	return "> " + strings.ReplaceAll(text, "\n", "\n> ")
}

// progress renders PROGRESS.md with its first entry.
func (d *draft) progress() string {
	var p page
	p.heading(1, "Progress of "+escape(oneLine(d.Outline.Title)))
	p.heading(2, d.date()+" Plan created")
	p.bullets("- ", []string{
		fmt.Sprintf("Written from an outline: %s with the Final Review, %s, rigor %s.", counted(len(d.tasks), "task"), d.choice.Format, d.choice.Rigor),
		"Approval: " + d.approval() + ".",
		"No work has begun.",
	})
	return p.text()
}

// candidates renders SKILLS_CANDIDATES.md, which the tasks add to (PD-8).
func (d *draft) candidates() string {
	var p page
	p.heading(1, "Skills candidates")
	p.paragraph("What a task teaches that is worth a skill is written here as an item that begins with its ID: the letter T, the number of the task, a hyphen, " +
		"and a number within the task. An ID never changes. The Final Review decides every candidate.")
	p.paragraph("There are none yet.")
	return p.text()
}

// agents are the supported agents and the style of their commands: "/", "#", or "" for plain words (AG-1, AG-2).
var agents = []struct{ name, style string }{
	{"Claude Code", "/"}, {"Cursor", "#"}, {"OpenAI Codex", "#"}, {"Google Gemini", "#"}, {"GitHub Copilot", "#"}, {"Antigravity", "#"},
	{"OpenClaw", ""}, {"Hermes", ""},
}

// prompts renders PROMPTS.md: what to tell an agent to execute, resume and look, each in its own style (AG-2).
func (d *draft) prompts() string {
	var p page
	folder := ".dwp/plans/" + d.Name
	p.heading(1, "Prompts for "+d.Name)
	p.paragraph("Copy one of these into your agent. An explicit execute or resume by a person approves the plan as it stands.")
	for _, c := range []struct{ title, command, words string }{
		{"Execute", "execute", "Read " + folder + "/README.md, record my approval in it, and work the first open task under its Execution Rules. Go on task by task until a gate or a decision stops you."},
		{"Resume", "resume", "Resume " + folder + ": go back to its goal, find the first open task, compare README.md with state.json, read that task's log and the last entry of PROGRESS.md, then continue with exactly that task."},
		{"Status", "status", "Report the status of " + folder + " without changing anything: what is completed, in progress, pending, and what blocks it."},
	} {
		p.heading(2, c.title)
		var b strings.Builder
		b.WriteString("| Agent | Prompt |\n|---|---|\n")
		plain := ""
		for _, a := range agents {
			if a.style == "" {
				plain += a.name + ", "
			} else {
				fmt.Fprintf(&b, "| %s | `%sdwp-%s %s` |\n", a.name, a.style, c.command, d.Name)
			}
		}
		p.paragraph(b.String())
		p.paragraph("In plain words, for " + plain + "and any other agent:")
		p.paragraph(quote(c.words))
	}
	return p.text()
}

// manifest renders manifest.json (PS-3, PS-6, PS-7). It is never written again.
func (d *draft) manifest() string {
	v := strictjson.NewObject()
	setText(v, "schema", state.SchemaURL(state.ManifestFile, d.Era))
	setText(v, "spec_version", Standard)
	setText(v, "name", d.Name)
	setText(v, "title", oneLine(d.Outline.Title))
	setText(v, "archetype", or(d.Archetype, "individual"))
	setText(v, "rigor", d.choice.Rigor)
	setText(v, "plan_format", d.choice.Format)
	setText(v, "created_at", d.stamp())
	d.actor(v, "created_by")
	setList(v, "tags", textArray(d.Tags))
	v.Set("task_count", strictjson.NewInt(len(d.tasks)))
	v.Set("parent_plan", strictjson.NewNull())
	setText(v, "parent_plan", d.Parent)
	return string(strictjson.Format(v))
}

// stamp is the time of creation in UTC, as all times of the layer are (PS-8, C137).
func (d *draft) stamp() string { return d.CreatedAt.UTC().Format(time.RFC3339) }

// actor names who wrote a file, when somebody said so: a display name at most (PS-7).
func (d *draft) actor(v *strictjson.Value, name string) {
	if d.Agent == "" {
		return
	}
	a := strictjson.NewObject()
	setText(a, "agent", d.Agent)
	setText(a, "model", d.Model)
	v.Set(name, a)
}

// state renders state.json, every task pending (PS-8, PS-9).
func (d *draft) state(materialization string) string {
	v := strictjson.NewObject()
	setText(v, "schema", state.SchemaURL(state.StateFile, d.Era))
	setText(v, "plan", d.Name)
	setText(v, "updated_at", d.stamp())
	d.actor(v, "updated_by")
	setText(v, "status", string(state.Pending))
	v.Set("completed_count", strictjson.NewInt(0))
	v.Set("task_count", strictjson.NewInt(len(d.tasks)))
	setText(v, "format", d.choice.Format)
	setText(v, "materialization", materialization)
	approval := "pending"
	if d.Trust {
		approval = "pre_approved"
	}
	setText(v, "approval", approval)
	v.Set("promotion", strictjson.NewNull())
	tasks := strictjson.NewArray()
	for i := range d.tasks {
		tasks.Elems = append(tasks.Elems, d.entry(i+1, &d.tasks[i]))
	}
	v.Set("tasks", tasks)
	v.Set("checkpoint", strictjson.NewNull())
	v.Set("blocked", strictjson.NewNull())
	return string(strictjson.Format(v))
}

// entry is a task in state.json: pending, without any record, its locator as the format wants it.
func (d *draft) entry(n int, t *Task) *strictjson.Value {
	e, l := strictjson.NewObject(), strictjson.NewObject()
	e.Set("id", strictjson.NewInt(n))
	setText(e, "title", oneLine(t.Title))
	if d.choice.Format == full {
		setText(l, "kind", "file")
		setText(l, "value", taskFile(n, t.Title))
	} else {
		setText(l, "kind", "inline")
		setText(l, "value", fmt.Sprintf("#task-%d", n))
	}
	e.Set("locator", l)
	setText(e, "status", string(state.Pending))
	e.Set("gates", strictjson.NewArray())
	return e
}

// recordVersion is the version of OutlineFile.
const recordVersion = 1

// record renders OutlineFile: outline and options, from which every other text follows.
func (d *draft) record() string {
	v := strictjson.NewObject()
	v.Set("version", strictjson.NewInt(recordVersion))
	setText(v, "name", d.Name)
	setText(v, "objective", d.Objective)
	setText(v, "format", d.Options.Format)
	v.Set("trust", strictjson.NewBool(d.Trust))
	setText(v, "by", d.By)
	setText(v, "archetype", d.Archetype)
	setText(v, "rigor", d.Rigor)
	setText(v, "parent", d.Parent)
	setText(v, "repository", d.Repository)
	setList(v, "tags", textArray(d.Tags))
	setText(v, "agent", d.Agent)
	setText(v, "model", d.Model)
	setText(v, "era", string(d.Era))
	setText(v, "created_at", d.stamp())
	v.Set("outline", d.Outline.encode())
	return string(strictjson.Format(v))
}

// readRecord reads OutlineFile back.
func readRecord(src []byte) (Outline, Options, []Gap) {
	var o Outline
	var opt Options
	var version, created, era string
	doc, err := strictjson.Parse(src)
	if err != nil {
		return o, opt, []Gap{{OutlineFile, "not JSON: " + err.Error()}}
	}
	d := decoder{}
	d.object("", doc.Root, map[string]reading{
		"version": func(_ string, v *strictjson.Value) { version = v.Text },
		"name":    d.text(&opt.Name), "objective": d.text(&opt.Objective), "format": d.text(&opt.Format),
		"trust": func(_ string, v *strictjson.Value) { opt.Trust = v.Kind == strictjson.Bool && v.Text == "true" },
		"by":    d.text(&opt.By), "archetype": d.text(&opt.Archetype), "rigor": d.text(&opt.Rigor), "parent": d.text(&opt.Parent), "repository": d.text(&opt.Repository),
		"tags": d.texts(&opt.Tags), "agent": d.text(&opt.Agent), "model": d.text(&opt.Model), "era": d.text(&era), "created_at": d.text(&created),
		"outline": func(_ string, v *strictjson.Value) { o = d.outline(v) },
	})
	if version != fmt.Sprint(recordVersion) {
		d.gap("version", "is %q, which this version of dwp does not know", version)
	}
	opt.Era = state.Era(era)
	if opt.CreatedAt, err = time.Parse(time.RFC3339, created); err != nil {
		d.gap("created_at", "is no time")
	}
	return o, opt, d.gaps
}
