package verify

import (
	"fmt"
	"strings"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/strictjson"
)

// checkStandard reports a standard that this tool doesn't know, and artefacts of a newer generation (PS-22, C43).
func checkStandard(c *checker) {
	switch v := c.shape.version; {
	case v == "" || plan.KnownStandard(v):
	case c.shape.series > plan.NewestSeries:
		c.add("standard/newer", c.standardPlace(), fmt.Sprintf("the plan's standard %s is newer than this version of dwp, which knows 1.x, 2.x, 4.x and 5.x", quote(v)), "use a newer dwp; nothing else was evaluated")
	default:
		c.add("standard/unknown", c.standardPlace(), fmt.Sprintf("the plan's standard %s is of no known series", quote(v)), "correct the version: 1.x, 2.x, 4.x and 5.x are known; nothing else was evaluated")
	}
	for _, name := range c.s.NewerArtefacts() {
		c.add("standard/generation", rule.Place{File: name}, name+" belongs to a newer generation of the standard", "use a newer dwp; nothing else was evaluated")
	}
}

func (c *checker) standardPlace() rule.Place {
	if c.s.README != nil && c.s.README.StandardVersion != "" {
		return c.inReadme(c.s.README.Standard.Span, 0)
	}
	return c.inManifest(key(c.s.Manifest.Doc, "spec_version"))
}

// checkManifestShape passes on what the decoder found: schema, types, values (PS-6, PS-21, PS-22).
func checkManifestShape(c *checker) {
	for _, f := range c.s.ManifestFaults {
		c.fault(f, c.inManifest(f.Value))
	}
}

// checkStateShape does so for state.json, lengths included (PS-8 to PS-16, PS-21, PS-22).
func checkStateShape(c *checker) {
	for _, f := range c.s.StateFaults {
		c.fault(f, c.inState(f.Value, 0))
	}
}

// checkEras: manifest and state of different generations are a torn pair (PS-21).
func checkEras(c *checker) {
	m, s := c.s.Manifest.Era, c.s.State.Era
	if m != s && m != state.Unknown && s != state.Unknown {
		c.add("schema/torn", c.inState(key(c.s.State.Doc, "schema"), 0),
			fmt.Sprintf("manifest.json is of generation %s, state.json of %s", m, s), "restore the pair; a deliberate migration changes both")
	}
}

// checkStandardLine: the README's Standard line, and its agreement with the manifest (PD-4, PS-22).
func checkStandardLine(c *checker) {
	r := c.s.README
	if r.StandardVersion == "" {
		if c.shape.series >= 4 {
			c.add("standard/missing", rule.Place{File: "README.md"}, "the README has no Standard line", "add: **Standard:** DWP spec "+c.shape.version)
		}
		return
	}
	if r.MigratedFrom != "" && c.s.Progress != nil && !c.s.Progress.Migrated {
		c.add("standard/migration-unrecorded", c.inReadme(r.Standard.Span, 0), "PROGRESS.md does not record the migration from "+quote(r.MigratedFrom), "add an entry that says what changed and why")
	}
	m := c.s.Manifest
	if m == nil || m.SpecVersion == "" || plan.CompareStandards(m.SpecVersion, r.StandardVersion) == 0 {
		return
	}
	if r.MigratedFrom == "" || plan.CompareStandards(m.SpecVersion, r.MigratedFrom) != 0 {
		c.add("standard/differs", c.inReadme(r.Standard.Span, 0),
			fmt.Sprintf("the README names standard %s, manifest.json %s", quote(r.StandardVersion), quote(m.SpecVersion)),
			"declare a migration in the Standard line: (migrated from A.B.C on DATE — reason)")
	}
}

// checkManifestIdentity: the manifest is that of its folder, and counts its tasks (PS-6, C89).
func checkManifestIdentity(c *checker) {
	m := c.s.Manifest
	if node := key(m.Doc, "spec_version"); written(node) && strings.TrimSpace(m.SpecVersion) == "" {
		c.add("manifest/value", c.inManifest(node), "spec_version is empty", "write the standard that the plan was created under")
	}
	if node := key(m.Doc, "name"); written(node) && m.Name != c.s.Name {
		c.add("manifest/name", c.inManifest(node), fmt.Sprintf("manifest.json is of %s, the folder is %s", quote(m.Name), quote(c.s.Name)),
			"restore this plan's own manifest; names never change")
	}
	total := c.view.Total
	if key(m.Doc, "task_count") == nil || total == 0 || m.TaskCount == total {
		return
	}
	level := rule.Level("")
	if c.s.Progress != nil && c.s.Progress.Refined {
		level = rule.Info
	}
	c.addLevel(level, "manifest/task-count", c.inManifest(key(m.Doc, "task_count")),
		fmt.Sprintf("the plan was created with %d tasks and has %d", m.TaskCount, total), "record the refine that changed it in PROGRESS.md; the manifest stays")
}

// checkStateIdentity: state.json is that of its folder (PS-8, C89).
func checkStateIdentity(c *checker) {
	st := c.s.State
	if node := key(st.Doc, "plan"); written(node) && st.Plan != c.s.Name {
		c.add("state/plan-name", c.inState(node, 0), fmt.Sprintf("state.json is of %s, the folder is %s", quote(st.Plan), quote(c.s.Name)),
			"restore this plan's own state.json")
	}
}

// written reports whether a member is there as a string; what is missing or retyped the decoder reports.
func written(node *strictjson.Value) bool { return node != nil && node.Kind == strictjson.String }

// checkCreatedAt: the plan was not created in the future (PS-11: any time).
func checkCreatedAt(c *checker) {
	t := c.s.Manifest.CreatedAt
	if !t.Value.IsZero() && !c.opt.Now.IsZero() && t.Value.Sub(c.opt.Now) > skew {
		c.add("time/future", c.inManifest(t.Node), "created_at lies in the future: "+t.Text, "correct the clock; the time itself is not changed by hand")
	}
}

// checkFormat: the formats of manifest and state differ only as lite to full (PS-8).
func checkFormat(c *checker) {
	from, now := c.s.Manifest.PlanFormat, c.s.State.Format
	if from == "full" && now == "lite" {
		c.add("state/format", c.inState(key(c.s.State.Doc, "format"), 0), "the plan was created Full and state.json says Lite", "a plan goes from Lite to Full only; restore format full")
	}
}

// checkLayer: where the state layer must or should be (PS-2, PD-9, UN-1).
func checkLayer(c *checker) {
	optedIn := c.s.README != nil && c.s.README.OptIn != nil
	switch {
	case !c.shape.hasJSON && optedIn:
		c.add("layer/unattended", c.inReadme(c.s.README.OptIn.Span, 0), "unattended runs are allowed, but manifest.json and state.json are missing", "create both files first, or remove the line")
	case !c.shape.hasJSON:
		level, why := c.layerNeed()
		c.addLevel(level, "layer/missing", rule.Place{File: state.StateFile}, "the plan has no manifest.json and state.json; "+why, "create both files from the README when the plan goes on")
	case optedIn && !c.grantedForUnattended():
		c.addLevel(rule.Should, "layer/unattended", c.inReadme(c.s.README.OptIn.Span, 0), "unattended runs are allowed, but no approval is recorded", "a person approves the plan first")
	}
}

// grantedForUnattended reports whether a person's approval is recorded. A v1 plan is treated as approved but for this: its README has to
// say so (PS-8, UN-1).
func (c *checker) grantedForUnattended() bool {
	approval := c.view.Approval
	if approval == "" {
		approval = c.s.README.ApprovalValue
	}
	return approval == planmd.ApprovalApproved || approval == planmd.ApprovalPreApproved
}

// layerNeed says how much the plan needs the layer, and why.
func (c *checker) layerNeed() (rule.Level, string) {
	switch {
	case c.shape.lite && c.s.README != nil && len(c.s.README.Records) > 0:
		return rule.Must, "a Lite plan needs them"
	case plan.CompareStandards(c.shape.version, "1.2") < 0:
		return rule.Info, "an older plan may go without"
	case !c.opt.InGit: // that it is an agent workspace, which must have them, only the manifest could tell
		return rule.Should, "an agent workspace without git needs them"
	default:
		return rule.Should, "plans since standard 1.2 should have them"
	}
}
