package state

import (
	"strings"

	"github.com/deepworkplan/dwp/internal/strictjson"
)

// manifestRules are the rule IDs of manifest.json (PS-6). Nothing in it is bounded in length.
func manifestRules() rules {
	return rules{missing: "manifest/missing-field", kind: "manifest/type", value: "manifest/value",
		time: "manifest/value", unknown: "manifest/unknown-field"}
}

// manifest decodes what stands beside the schema URL; m has Doc, Schema and a known Era.
func (r *reader) manifest(m *Manifest) {
	o := r.object(m.Doc.Root, nil, manifestRules())
	o.text("schema", required)
	m.SpecVersion = o.text("spec_version", required)
	m.Name = o.text("name", required)
	m.Title = o.text("title", optional)
	m.Archetype = o.choice("archetype", required, "individual", "orchestrator-hub", "agent-workspace")
	m.Rigor = o.choice("rigor", required, "micro", "standard", "deep")
	if m.Era != V1 {
		m.PlanFormat = o.choice("plan_format", required, "lite", "full")
	}
	if t := o.time("created_at", required); t != nil {
		m.CreatedAt = *t
	}
	m.CreatedBy = o.actor("created_by", manifestRules())
	m.Tags = o.lines("tags", 0)
	m.TaskCount = o.count("task_count", required, 0)
	m.ParentPlan = o.parent()
	o.rest("a manifest")
}

// parent reads parent_plan: "repo:PLAN_x", or null (PS-6).
func (o *object) parent() string {
	const name = "parent_plan"
	v := o.typed(name, optional, strictjson.String, "a string or null")
	if v == nil {
		return ""
	}
	// The repository's name is not empty, but may itself hold a colon.
	_, plan, found := strings.Cut(v.Text[min(1, len(v.Text)):], ":PLAN_")
	if !found || plan == "" {
		o.r.report(o.rules.value, v, o.to(name), "", "is %q; it must be repo:PLAN_name, or null", shorten(v.Text))
	}
	return v.Text
}

// actor reads who created or updated a file.
func (o *object) actor(name string, ru rules) *Actor {
	in := o.object(name, optional, ru)
	if in == nil {
		return nil
	}
	a := &Actor{Agent: in.text("agent", optional), Model: in.text("model", optional), Node: in.node}
	in.rest("a record of who wrote it")
	return a
}
