package author

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/plantest"
	"github.com/deepworkplan/dwp/internal/state"
)

// made is a Lite plan of the generator, and what its records are to be in files of their own: the generator writes every record
// twice, so that nothing of the promotion is needed to know what is right.
type made struct {
	files  map[string]string
	want   map[int]string // the text of each task file, by number
	titles []string
	states []string
}

// maker makes plans of all the traits that records in the field have.
type maker struct {
	*rand.Rand
	tasks int
}

func (g *maker) chance(n int) bool             { return g.IntN(n) == 0 }
func (g *maker) one(list ...string) string     { return list[g.IntN(len(list))] }
func (g *maker) file(n int, t []string) string { return taskFile(n, t[n-1]) }

var genTitles = []string{"Load the shards", "缓存 设计", "ตั้งค่าแคช", "Quote `code` here", "Fix [brackets]", "A *starred* word", "Load the shards", "Ünïcode — dash", "\U0001f680", "Check 2 of 3", "Task", "a_b_c"}

// plan makes one plan.
func (g *maker) plan() made {
	g.tasks = 1 + g.IntN(5)
	m := made{files: map[string]string{}, want: map[int]string{}}
	for range g.tasks {
		m.titles = append(m.titles, g.one(genTitles...))
		m.states = append(m.states, g.one("pending", "in_progress", "completed", "blocked", "skipped"))
		if slices.Index(m.states, "blocked") < len(m.states)-1 && m.states[len(m.states)-1] == "blocked" { // there is one blocker at most
			m.states[len(m.states)-1] = "pending"
		}
	}
	var index, records strings.Builder
	for n := 1; n <= g.tasks; n++ {
		index.WriteString(g.line(n, m.titles[n-1], m.states[n-1] == "completed"))
		blocks := g.record(n)
		records.WriteString(g.render(n, m.titles, blocks, true))
		m.want[n] = g.render(n, m.titles, blocks, false)
	}
	head := g.one("", "---\ntitle: x\n---\n\n") + "# The plan\n\n- **Standard:** DWP spec 5.0.0\n- **Approval:** approved\n- **Format:** lite\n- **Execution:** sequential \u2014 one database\n\n" +
		"## Goal\n\nSee [the first](#task-1) and Task 1 above.\n\n## Task List\n\n" + index.String() + "\n- **Plan Status:** 0/3 completed\n\n"
	if g.chance(3) {
		head += "## Team Agents\n\n| Group | Tasks | Teammate | Owned files |\n|---|---|---|---|\n| a | 1 | x | `src/` |\n\n"
	}
	selection := "## Format Selection\n\n- Scope: small.\n\n"
	tail := g.one("", "## Analysis Outputs\n\nNone yet.\n", "## Guidelines\n\n```\n## Task 1: no record {#task-1}\n```\n")
	readme := head + selection + records.String() + tail
	if g.chance(3) {
		readme = strings.ReplaceAll(readme, "\n", "\r\n")
		for n := range m.want {
			m.want[n] = strings.ReplaceAll(m.want[n], "\n", "\r\n")
		}
	}
	m.files["README.md"], m.files["state.json"] = readme, g.state(m)
	m.files["manifest.json"] = fmt.Sprintf(`{"schema": "https://deepworkplan.com/schema/plan-manifest/v2.json", "spec_version": "5.0.0", "name": %q, "archetype": "individual", `+
		`"rigor": "standard", "created_at": "2026-09-01T08:00:00Z", "task_count": %d, "plan_format": "lite"}`, plantest.Name, g.tasks)
	m.files["PROGRESS.md"], m.files["PROMPTS.md"], m.files["analysis_results/notes.md"] = "# Progress\n", "# Prompts\n", "notes\n"
	return m
}

// line is an index line in one of the forms of the field (C23).
func (g *maker) line(n int, title string, done bool) string {
	box := map[bool]string{true: "[x]", false: "[ ]"}[done]
	form := g.one("- %s Task %d: %s\n", "- %s **Task %d:** %s\n", "* %s Task %d \u2014 %s\n", "- %s Task %d: %s\n  - [ ] a step\n", "- %s Task %d: %s \u2705\n")
	if g.chance(4) && !strings.ContainsAny(title, "[]") {
		return fmt.Sprintf("- %s [Task %d: %s](#task-%d)\n", box, n, title, n)
	}
	return fmt.Sprintf(form, box, n, title)
}

// block is a piece of a record: a heading and a text. {N} in a text is a link to task N.
type block struct {
	level int // below the record's heading; 0 for text alone
	head  string
	body  string
}

// record makes the blocks of a record.
func (g *maker) record(n int) []block {
	var list []block
	if g.chance(2) {
		list = append(list, block{body: g.one("- **Depends on:** none", "**Depends on:** Task 1", "Depends on: 1")})
	}
	for _, labels := range [][]string{{"Context", "1. Context", "上下文"}, {"Goal", "เป้าหมาย", "目标"}, {"Touched Surface"}, {"Instructions", "步骤"}, {"Acceptance Criteria", "Acceptance Criteria:"},
		{"Outputs"}, {"Validation"}, {"Execution Checklist"}, {"Notes of nobody"}, {"Completion & Log"}} {
		if g.chance(7) {
			continue
		}
		if g.chance(12) && labels[0] == "Goal" {
			list = append(list, block{body: "**Goal:** a label that is a section"})
			continue
		}
		list = append(list, block{1, g.one(labels...) + g.one("", "", " ##", "  "), g.body(labels[0])})
		if g.chance(5) {
			list = append(list, block{2 + g.IntN(3), g.one("Detail", "Why `# this`", "Goal"), g.text()})
		}
		if labels[0] == "Completion & Log" && g.chance(2) {
			list = append(list, block{2, "Amendment 1 \u2014 2026-09-02", "- Original criterion: counts agree\n- Observed: they do not\n- Disposition: revised\n- Reason: a | b\n- Authority: user"})
		}
	}
	return list
}

// body is the text of a section.
func (g *maker) body(kind string) string {
	switch kind {
	case "Acceptance Criteria", "Execution Checklist":
		return g.one("- [ ] counts agree\n- [x] checksums agree", "- [x] all\n  - [ ] nested\n    - [X] deeper", "1. [ ] numbered\n2. [x] ticked")
	case "Validation":
		return g.one("```sh\nmake test | tail -n1\n# a comment, no heading\n- [ ] no box\n```", "~~~\nmake a\n```\nmake b\n~~~", "    indented | gate\n", "`make test`")
	case "Touched Surface":
		return "- Planned: `load/`\n- Risk class: isolated"
	case "Completion & Log":
		return g.one("- **Status:** pending", "Status: completed\nSkills disposition: none\nDocumentation decision: none needed", "- **Status:** in_progress\n- evidence: `a|b`")
	}
	return g.text()
}

// text is any text: what looks like structure in it is none.
func (g *maker) text() string {
	return g.one("Plain words.", "See {1} and {2}, and Task 1 above.", "> ## quoted heading\n> - [ ] quoted box", "<!-- ## Goal\n- [x] no box\n-->", "| a | b |\n|---|---|\n| # c | d |",
		"- one\n  - two\n\n    # in a list\n- three", "Words  \nand a hard break\\\nand more", "####### seven marks\n#no heading", "\\# escaped\n\n***\n\nafter a rule", "`#task-1` in code, <span id=\"#task-1\">html</span>",
		"```md\n## Task 2: sample {#task-2}\n[x](#task-1)\n```", "ข้อความ 文字 \u2014 \u201cquoted\u201d")
}

// render writes a record: inline, or as a file.
func (g *maker) render(n int, titles []string, blocks []block, inline bool) string {
	marks, anchor := "#", ""
	if inline {
		marks, anchor = "##", fmt.Sprintf(" {#task-%d}", n)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s Task %d: %s%s\n\n", marks, n, titles[n-1], anchor)
	for _, k := range blocks {
		if k.level > 0 {
			fmt.Fprintf(&b, "%s %s\n\n", marks+strings.Repeat("#", k.level), k.head)
		}
		body := k.body
		for to := 1; to <= 2; to++ {
			target := fmt.Sprintf("#task-%d", to)
			if !inline && to <= len(titles) {
				target = g.file(to, titles)
			}
			body = strings.ReplaceAll(body, fmt.Sprintf("{%d}", to), "[there]("+target+")")
		}
		b.WriteString(body + "\n\n")
	}
	return b.String()
}

// state is the state.json of a plan, with evidence of all kinds.
func (g *maker) state(m made) string {
	var tasks []any
	counts := map[state.Status]int{}
	var blocked any
	for i, status := range m.states {
		counts[state.Status(status)]++
		t := map[string]any{"id": i + 1, "title": m.titles[i], "status": status, "locator": map[string]any{"kind": "inline", "value": fmt.Sprintf("#task-%d", i+1)}, "gates": []any{}}
		if status != "pending" && status != "skipped" {
			t["started_at"] = "2026-09-01T09:00:00Z"
			t["gates"] = []any{map[string]any{"command": "make test | tail", "passes": status == "completed", "exit_code": map[bool]int{true: 0, false: 1}[status == "completed"], "last_run": "2026-09-01T09:59:00Z", "evidence": "12 | passed"}}
		}
		if status == "completed" {
			t["completed_at"], t["commit"] = "2026-09-01T10:00:00Z", "0badc0de"
			t["outcome"] = map[string]any{"tried": []any{"a"}, "failed": []any{}, "worked": "copy", "notes": ""}
		}
		if status == "blocked" {
			blocked = map[string]any{"task": i + 1, "reason": "[S1] waits", "since": "2026-09-01T10:00:00Z"}
		}
		tasks = append(tasks, t)
	}
	st := map[string]any{"schema": "https://deepworkplan.com/schema/plan-state/v2.json", "plan": plantest.Name, "updated_at": "2026-09-01T10:00:00Z", "status": "in_progress",
		"completed_count": counts[state.Completed], "task_count": len(tasks), "format": "lite", "materialization": "ready", "approval": "approved", "promotion": nil,
		"tasks": tasks, "checkpoint": map[string]any{"task": 1, "step": "half", "at": "2026-09-01T10:00:00Z", "note": ""}, "blocked": blocked}
	st["status"] = state.Derive(counts, blocked != nil) // PS-17
	if counts[state.Completed] == len(tasks) {
		st["checkpoint"] = nil
	}
	data, _ := json.MarshalIndent(st, "", "  ")
	return string(data)
}

// decided makes every step of a promotion in memory, by the decision alone.
func decided(files map[string]string) (map[string]string, error) { return decidedSteps(files, 99) }

// decidedSteps makes so many steps at most.
func decidedSteps(files map[string]string, steps int) (map[string]string, error) {
	files = maps.Clone(files)
	var told Promoted
	decide := promoteSteps(promoter, &told)
	for ; ; steps-- {
		if steps == 0 {
			return files, nil
		}
		folder := fstest.MapFS{}
		for name, text := range files {
			folder[name] = &fstest.MapFile{Data: []byte(text)}
		}
		s, err := plan.Read(folder, plantest.Name)
		if err != nil {
			return nil, err
		}
		r, err := decide(s)
		if err != nil {
			return nil, err
		}
		for _, c := range r.Changes {
			if files[c.Path] = string(c.Data); c.Remove {
				delete(files, c.Path)
			}
		}
		if r.Instead != nil || !r.More {
			return files, r.Instead
		}
	}
}

// LF-9, C115: of a thousand plans of all traits, every record stands in its file as it stood in the README, byte for byte but for the
// depth of its headings, its anchor, and links to records; index lines keep text and mark; and no entry changes but in its locator.
func TestPromoteGenerated(t *testing.T) {
	for part := range 4 {
		t.Run(fmt.Sprint(part), func(t *testing.T) {
			t.Parallel()
			g := &maker{Rand: rand.New(rand.NewPCG(9, uint64(part)))}
			for n := range 250 {
				m := g.plan()
				got, err := decided(m.files)
				if err != nil {
					t.Fatalf("plan %d is refused: %v\n%s", n, err, m.files["README.md"])
				}
				if what := wrong(m, got); what != "" {
					t.Fatalf("plan %d: %s\n--- README before\n%s\n--- README after\n%s", n, what, m.files["README.md"], got["README.md"])
				}
			}
		})
	}
}

// wrong says what is wrong with a promoted plan. It knows records by their lines alone.
func wrong(m made, got map[string]string) string {
	named := map[string]bool{}
	for n := 1; n <= len(m.titles); n++ {
		name := taskFile(n, m.titles[n-1])
		if named[name] || !regexp.MustCompile(`^[1-9][0-9]*\.task_[a-z0-9_]+\.md$`).MatchString(name) {
			return "the name " + name
		}
		named[name] = true
		if is, want := strings.TrimRight(got[name], " \r\n"), strings.TrimRight(m.want[n], " \r\n"); is != want {
			return fmt.Sprintf("%s is\n%q, want\n%q", name, is, want)
		}
		if was, is := linesOfTask(m.files["README.md"], n), linesOfTask(got[name], 0); !slices.Equal(was, is) {
			return fmt.Sprintf("%s has the lines %q, want %q", name, is, was)
		}
	}
	if got["manifest.json"] != m.files["manifest.json"] || got["PROMPTS.md"] != m.files["PROMPTS.md"] {
		return "manifest.json or PROMPTS.md changed"
	}
	if what := wrongReadme(m, got["README.md"]); what != "" {
		return what
	}
	return wrongState(m.files["state.json"], got["state.json"])
}

var (
	genHeading = regexp.MustCompile(`^#{1,6}( |$)`)
	genAnchor  = regexp.MustCompile(` \{#task-(\d+)\}$`)
	genLink    = regexp.MustCompile(`\]\((#task-\d+|\d+\.task_\w+\.md)\)`)
)

// linesOfTask are the lines of a record that are not empty, headings without their marks and links without their target: of a README the
// ones behind the anchor of task n, with n 0 all of a file. Code and comments are told by their fences.
func linesOfTask(text string, n int) []string {
	var list []string
	in, fence := n == 0, ""
	for _, line := range strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n") {
		switch {
		case fence != "":
			if strings.HasPrefix(line, fence) || fence == "-->" && strings.Contains(line, fence) {
				fence = ""
			}
		case strings.HasPrefix(line, "```"), strings.HasPrefix(line, "~~~"):
			fence = line[:3]
		case strings.HasPrefix(line, "<!--") && !strings.Contains(line, "-->"):
			fence = "-->"
		case genHeading.MatchString(line):
			if a := genAnchor.FindStringSubmatch(line); a != nil {
				in = a[1] == fmt.Sprint(n)
				line = genAnchor.ReplaceAllString(line, "")
			} else if n > 0 && strings.HasPrefix(line, "## ") {
				in = false
			}
			line = strings.TrimLeft(line, "#")
		default:
			line = genLink.ReplaceAllString(line, "](there)")
		}
		if in && strings.TrimSpace(line) != "" {
			list = append(list, line)
		}
	}
	return list
}

// wrongReadme compares the README's own lines: they are those before, without records, links of the index and words about formats.
func wrongReadme(m made, after string) string {
	own := func(text string) []string {
		var list []string
		in, fence := true, ""
		for _, line := range strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n") {
			switch {
			case fence != "":
				if strings.HasPrefix(line, fence) {
					fence = ""
				}
			case strings.HasPrefix(line, "```"), strings.HasPrefix(line, "~~~"):
				fence = line[:3]
			case strings.HasPrefix(line, "## "):
				in = !genAnchor.MatchString(line)
			}
			if !in || strings.TrimSpace(line) == "" || strings.HasPrefix(line, "- **Format:**") || strings.HasPrefix(line, "- **Promotion:**") {
				continue
			}
			line = regexp.MustCompile(` \(\[[^]]*\.md\]\([^)]*\.md\)\)`).ReplaceAllString(line, "")
			line = regexp.MustCompile(`\[([^]]*[^] x])\]\([^)]*\)`).ReplaceAllString(line, "$1")
			list = append(list, line)
		}
		return list
	}
	was, is := own(m.files["README.md"]), own(after)
	for i := range max(len(was), len(is)) {
		if i >= len(was) || i >= len(is) {
			return "README has lines too many or too few"
		}
		if was[i] != is[i] {
			return fmt.Sprintf("README line %q, want %q", is[i], was[i])
		}
	}
	for n := 1; n <= len(m.titles); n++ {
		if link := "](" + taskFile(n, m.titles[n-1]) + ")"; !strings.Contains(after, link) {
			return "README has no " + link
		}
	}
	if !strings.Contains(after, "promoted on 2026-09-04") || !strings.Contains(after, "- **Format:** full, promoted on 2026-09-04 from lite") {
		return "README does not say when"
	}
	return ""
}

// wrongState compares the decoded states member by member.
func wrongState(before, after string) string {
	var was, is map[string]any
	if json.Unmarshal([]byte(before), &was) != nil || json.Unmarshal([]byte(after), &is) != nil {
		return "state.json is none"
	}
	for name := range is {
		switch name {
		case "format", "updated_at", "updated_by":
		case "tasks":
			old, now := was[name].([]any), is[name].([]any)
			if len(old) != len(now) {
				return "an entry is lost"
			}
			for i := range now {
				a, b := maps.Clone(old[i].(map[string]any)), maps.Clone(now[i].(map[string]any))
				if b["locator"].(map[string]any)["kind"] != "file" {
					return "an inline locator is left"
				}
				delete(a, "locator")
				delete(b, "locator")
				if !reflect.DeepEqual(a, b) {
					return fmt.Sprintf("entry %d is %v, want %v", i+1, b, a)
				}
			}
		default:
			if !reflect.DeepEqual(was[name], is[name]) {
				return fmt.Sprintf("%s is %v, want %v", name, is[name], was[name])
			}
		}
	}
	if is["format"] != "full" {
		return "format is not full"
	}
	return ""
}

var (
	fuzzTarget = regexp.MustCompile(`(\./)?(README\.md)?#task-\d+|\d+\.task_\w+\.md|\{#[^}]*\}|[][()]`)
	fuzzRule   = regexp.MustCompile(`^[-=]+$`)
)

// bag counts the lines of texts, whatever file and order they stand in: without marks of headings, brackets and targets of links, and
// without what a promotion says of itself.
func bag(texts ...string) map[string]int {
	lines := map[string]int{}
	for _, text := range texts {
		for line := range strings.Lines(text) {
			line = strings.Join(strings.Fields(fuzzTarget.ReplaceAllString(line, " ")), "")
			line = strings.TrimLeft(line, "#")
			if line = fuzzRule.ReplaceAllString(line, "-"); line != "" && !strings.Contains(line, "promotedon") && !strings.Contains(line, "ormat:") {
				lines[line]++
			}
		}
	}
	return lines
}

// formless is a README without the value of its Format line, which a promotion changes wherever it stands: it may be on a line of its own.
func formless(readme string) string {
	if f := planmd.ReadREADME([]byte(readme)).Format; f != nil {
		return readme[:f.At.Start] + readme[f.At.End:]
	}
	return readme
}

// FuzzPromote: whatever the README is, it is refused, or not a line of it is lost, doubled or made up.
func FuzzPromote(f *testing.F) {
	g := &maker{Rand: rand.New(rand.NewPCG(9, 1))}
	for range 40 {
		m := g.plan()
		f.Add(m.files["README.md"], uint8(g.tasks))
	}
	f.Add("# P\n\n## Task List\n\n- [ ] Task 1: a\n\n## Task 1: a {#task-1}\n\n### Goal\n\nx\n\nEnd\n---\n", uint8(1))
	f.Add("# P\n\n- [ ] Task 1: a\n\nTask 1: a {#task-1}\n-------------------\n\nGoal\n----\n\n[x][y]\n\n[y]: #task-1\n", uint8(1))
	f.Add("# P\r\n\r\n- *Format:*\r\nlite\r\n\r\n## Task List\r\n\r\n- [ ] Task 1: a\r\n\r\n## Task 1: a {#task-1}\r\n\r\n### Goal\r\n\r\nx\r\n", uint8(0))
	f.Fuzz(func(t *testing.T, readme string, tasks uint8) {
		g := &maker{Rand: rand.New(rand.NewPCG(9, uint64(tasks))), tasks: int(tasks%5) + 1}
		m := made{files: map[string]string{}}
		for range g.tasks {
			m.titles, m.states = append(m.titles, "t"), append(m.states, g.one("pending", "completed"))
		}
		m.files["README.md"], m.files["state.json"] = readme, g.state(m)
		got, err := decided(m.files)
		if err != nil {
			return
		}
		texts := []string{formless(got["README.md"])}
		for n := range m.titles {
			texts = append(texts, got[taskFile(n+1, "t")])
		}
		if was, is := bag(formless(readme)), bag(texts...); !maps.Equal(was, is) {
			t.Errorf("lines before %v\nafter %v", was, is)
		}
	})
}

// C115: what the decision makes of generated plans, with tasks of every status, is what stands on disk in the end, and verify has
// nothing to say that it had not before.
func TestPromoteGeneratedOnDisk(t *testing.T) {
	g := &maker{Rand: rand.New(rand.NewPCG(9, 7))}
	for range 30 {
		m := g.plan()
		p := lodged(t, m.files)
		before := musts(snapshot(t, p))
		if _, err := Promote(t.Context(), p, promoter); err != nil {
			t.Fatal(err)
		}
		want, err := decided(m.files)
		if err != nil || !maps.Equal(want, lodgedTexts(p)) {
			t.Fatalf("on disk stands something else: %v", err)
		}
		for _, line := range musts(snapshot(t, p)) {
			level, rest, _ := strings.Cut(line, " ")
			id, _, _ := strings.Cut(rest, " ")
			if level == "must" && !slices.ContainsFunc(before, func(b string) bool { return strings.HasPrefix(b, "must "+id+" ") }) {
				t.Errorf("verify says %s", line)
			}
		}
	}
}
