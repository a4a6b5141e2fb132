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
	if v := c.shape.version; v != "" && !knownSeries(c.shape.series) {
		id, word := "standard/unknown", "names no known series"
		if c.shape.series > newest {
			id, word = "standard/newer", "is newer than this tool, which knows 1.x, 2.x, 4.x and 5.x"
		}
		c.add(id, c.standardPlace(), fmt.Sprintf("the plan's standard %s %s", quote(v), word), "use a newer dwp; nothing else was evaluated")
	}
	for _, name := range newerArtefacts(c.s) {
		c.add("standard/generation", rule.Place{File: name}, name+" belongs to a newer generation of the standard", "use a newer dwp; nothing else was evaluated")
	}
}

func (c *checker) standardPlace() rule.Place {
	if c.s.README != nil && c.s.README.StandardVersion != "" {
		return c.inReadme(c.s.README.Standard.Span, 0)
	}
	return c.inManifest(key(c.s.Manifest.Doc, "spec_version"))
}

// checkShapes passes on what the decoders found: schema, types, values, lengths (PS-6 to PS-16, PS-21, PS-22).
func checkManifestShape(c *checker) {
	for _, f := range c.s.ManifestFaults {
		c.fault(f, c.inManifest(f.Value))
	}
}

func checkStateShape(c *checker) {
	for _, f := range c.s.StateFaults {
		c.fault(f, c.inState(f.Value, 0))
	}
}

func checkReceiptShape(c *checker) {
	for _, f := range c.s.ReceiptFaults {
		c.fault(f, jsonPlace(state.ReceiptFile, c.s.Receipt.Doc, f.Value, 0))
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
	if m == nil || m.SpecVersion == "" || sameVersion(m.SpecVersion, r.StandardVersion) {
		return
	}
	if r.MigratedFrom == "" || !sameVersion(m.SpecVersion, r.MigratedFrom) {
		c.add("standard/differs", c.inReadme(r.Standard.Span, 0),
			fmt.Sprintf("the README names standard %s, manifest.json %s", quote(r.StandardVersion), quote(m.SpecVersion)),
			"declare a migration in the Standard line: (migrated from A.B.C on DATE — reason)")
	}
}

// checkIdentity: both files name the folder they lie in (PS-6, PS-8, C89).
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

// checkApproval: README and state agree, and nothing is done before approval (PS-8, LF-7, C51, C103).
func checkApproval(c *checker) {
	r := c.s.README
	if r.Approval == nil {
		if c.shape.series >= 4 {
			c.add("approval/missing", rule.Place{File: "README.md"}, "the README has no Approval line", "add: **Approval:** "+orPending(c.view.Approval))
		}
		return
	}
	at := c.inReadme(r.Approval.Span, 0)
	if r.ApprovalValue == planmd.ApprovalOther {
		c.add("approval/unknown", at, "the Approval line says "+quote(r.Approval.Value), "say pending, approved or pre_approved")
		return
	}
	if st := c.s.State; st != nil && st.Approval != "" && st.Approval != r.ApprovalValue {
		c.add("approval/differs", at, fmt.Sprintf("the README says %s, state.json says %s", r.ApprovalValue, quote(st.Approval)), "the markdown is the truth: bring state.json in line")
	}
}

func orPending(s string) string {
	if s == "" {
		return planmd.ApprovalPending
	}
	return s
}

func checkProgressUnderPending(c *checker) {
	if c.view.Approval != planmd.ApprovalPending {
		return
	}
	for _, t := range c.view.Tasks {
		if t.Checked || t.Entry != nil && worked(t.Entry) {
			c.add("approval/progress-under-pending", c.taskPlace(t), "work is recorded while the plan's approval is pending", "a person approves the plan's scope first")
		}
	}
}

// worked reports whether an entry shows that somebody worked on the task.
func worked(e *state.Task) bool {
	return e.Status == state.InProgress || e.Status == state.Completed || e.StartedAt != nil || len(e.Gates) > 0
}

// taskPlace is where a task is best shown: its index line, else its entry, else its file.
func (c *checker) taskPlace(t plan.TaskView) rule.Place {
	switch {
	case t.Line != nil:
		return c.inReadme(t.Line.Span, t.ID)
	case t.Entry != nil:
		return c.inState(t.Entry.Node, t.ID)
	}
	return rule.Place{File: t.File, Task: t.ID}
}

// checkMaterialization: a folder stuck in creation is partial (LF-4); a promotion is unfinished (LF-9).
func checkMaterialization(c *checker) {
	if r := c.s.README; r != nil && r.Materializing {
		c.add("materialization/partial", c.inReadme(r.MaterialAt, 0), "the README says that the plan is still materializing", "complete its creation, or discard it")
	}
	st := c.s.State
	if st == nil {
		return
	}
	if st.Materialization == "materializing" {
		c.add("materialization/partial", c.inState(key(st.Doc, "materialization"), 0), "state.json says that the plan is still materializing", "complete its creation, or discard it")
	}
	if promoting(c.s) {
		c.add("promotion/unfinished", c.inState(key(st.Doc, "promotion"), 0), "a promotion from Lite to Full is in progress", "resume the promotion; nothing else may run before")
	}
	if (st.Promotion != nil) != (st.Materialization == "promoting") && st.Era != state.V1 {
		c.add("promotion/shape", c.inState(key(st.Doc, "promotion"), 0), "the promotion marker and materialization disagree", "the marker stands exactly while materialization is promoting")
	}
}

// checkPromoted: the switch of a promotion takes the inline records out of the README (LF-9).
func checkPromoted(c *checker) {
	if c.s.Manifest.PlanFormat != "lite" || c.s.State.Format != "full" || promoting(c.s) {
		return
	}
	for i := range c.s.README.Records {
		rec := &c.s.README.Records[i]
		if n, ok := anchorNumber(rec.Anchor); ok && len(rec.Sections) > 0 {
			c.add("promotion/inline-left", c.inReadme(rec.Head, n), "its inline record still stands in the README of the promoted plan", "compare it with the task file, then remove it")
		}
	}
}

// checkLayer: where the state layer must or should be (PS-2, PD-9, UN-1).
func checkLayer(c *checker) {
	place := rule.Place{File: state.StateFile}
	optedIn := c.s.README != nil && c.s.README.OptIn != nil
	if !c.shape.hasJSON {
		switch level, why := c.layerNeed(); {
		case optedIn:
			c.add("layer/unattended", c.inReadme(c.s.README.OptIn.Span, 0), "unattended runs are allowed, but manifest.json and state.json are missing", "create the state layer first")
		default:
			c.addLevel(level, "layer/missing", place, "the plan has no manifest.json and state.json; "+why, "regenerate them from the markdown when the plan goes on")
		}
		return
	}
	if optedIn && c.view.Approval != planmd.ApprovalApproved && c.view.Approval != planmd.ApprovalPreApproved {
		c.addLevel(rule.Should, "layer/unattended", c.inReadme(c.s.README.OptIn.Span, 0), "unattended runs are allowed, but no approval is recorded", "a person approves the plan first")
	}
}

// layerNeed says how much the plan needs the layer, and why.
func (c *checker) layerNeed() (rule.Level, string) {
	switch {
	case c.shape.lite && c.s.README != nil && len(c.s.README.Records) > 0:
		return rule.Must, "a Lite plan needs them"
	case !c.opt.InGit && c.shape.series >= 2:
		return rule.Should, "a workspace without git needs them"
	case c.shape.series >= 2:
		return rule.Should, "plans since standard 1.2 should have them"
	}
	return rule.Info, "an older plan may go without"
}
