package verify

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/rule"
)

// Strays turns what lies beside the plans into findings outside any plan (C129; TRAPS: never skipped in silence).
func Strays(strays []plan.Stray) []rule.Finding {
	var notes []note
	for _, s := range strays {
		at := rule.Place{File: s.Name}
		switch s.Reason {
		case plan.StrayLink:
			notes = append(notes, note{rule: "plans/link", at: at, msg: "the link " + quote(s.Name) + " leads to no plan inside the plans folder; skipped", hint: "remove it, or put the plan itself there"})
		case plan.StrayFile:
			notes = append(notes, note{rule: "plans/stray", at: at, msg: quote(s.Name) + " is a file, not a plan folder; skipped", hint: "a plan is a folder"})
		default:
			notes = append(notes, note{rule: "plans/stray", at: at, msg: "the folder " + quote(s.Name) + " is not named PLAN_<slug>; skipped", hint: "rename it if it is a plan"})
		}
	}
	out := merge(notes)
	sortFindings(out)
	return out
}

// RepoFacts are what the repository checks look at; the caller gathers those that need git.
type RepoFacts struct {
	InGit   bool
	Ignored bool // git ignores the .dwp folder
}

// RepoCheck is one line of the repository section of conformance: the rule, and its finding when it failed. Reason is
// set instead when the rule could not be evaluated.
type RepoCheck struct {
	Rule    string
	Title   string
	Finding *rule.Finding
	Reason  string
}

// agentFiles are the per-agent instruction files that must refer to AGENTS.md (AG-2).
var agentFiles = []string{"CLAUDE.md", "GEMINI.md", ".github/copilot-instructions.md", ".hermes.md", "HERMES.md", ".cursorrules"}

// copied is how many lines of AGENTS.md a per-agent file may repeat word for word before it counts as a copy.
const copied = 10

// Repository checks the repository whose top folder is dir (AG-2 to AG-4, PD-1): AGENTS.md and its commands block,
// per-agent files that point to it, .agents folders, docs, .dwp/plans, .dwp ignored by git.
func Repository(dir string, facts RepoFacts) []RepoCheck {
	r := repo{dir: dir}
	agents, err := r.read("AGENTS.md")
	switch {
	case errors.Is(err, fs.ErrNotExist):
		r.fail("repo/agents-md", "AGENTS.md", "AGENTS.md is missing", "write it: the single source of the repository's conventions")
		r.skip("repo/commands", "AGENTS.md is missing")
		r.skip("repo/agent-files", "AGENTS.md is missing")
	case err != nil:
		for _, id := range []string{"repo/agents-md", "repo/commands", "repo/agent-files"} {
			r.skip(id, err.Error())
		}
	default:
		r.agentsFile(agents)
		r.agentFiles(agents)
	}
	r.folders("repo/agents-folders", ".agents/agents", ".agents/commands", ".agents/skills", ".agents/docs")
	r.folders("repo/docs", "docs")
	r.file("repo/security-doc", "docs/SECURITY.md")
	r.folders("repo/plans", ".dwp/plans")
	switch {
	case !facts.InGit:
		r.skip("repo/ignored", "") // an agent workspace needs no git (AG-4)
	case facts.Ignored:
		r.pass("repo/ignored")
	default:
		r.fail("repo/ignored", ".gitignore", "git does not ignore .dwp", "add the line .dwp/ to .gitignore")
	}
	return r.checks
}

// repo gathers the checks of one repository.
type repo struct {
	dir    string
	checks []RepoCheck
}

func (r *repo) read(name string) (string, error) {
	info, err := os.Stat(filepath.Join(r.dir, name))
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() || info.Size() > plan.MaxFile {
		return "", fmt.Errorf("%s is no regular file of readable size", name)
	}
	data, err := os.ReadFile(filepath.Join(r.dir, name))
	return string(data), err
}

func (r *repo) pass(id string) { r.put(id, nil, "") }

// skip says that a rule was not evaluated and why; with no reason, that it doesn't apply.
func (r *repo) skip(id, reason string) {
	if reason != "" {
		r.put(id, nil, reason)
	}
}

func (r *repo) fail(id, file, msg, hint string) {
	info, _ := rule.Lookup(id)
	r.put(id, &rule.Finding{Rule: id, Level: info.Level, Requirement: info.Requirement, Place: rule.Place{File: file}, Message: msg, Hint: hint}, "")
}

func (r *repo) put(id string, f *rule.Finding, reason string) {
	info, _ := rule.Lookup(id)
	r.checks = append(r.checks, RepoCheck{Rule: id, Title: info.Title, Finding: f, Reason: reason})
}

// agentsFile: AGENTS.md has words, and a block of commands (AG-3).
func (r *repo) agentsFile(text string) {
	if strings.TrimSpace(text) == "" {
		r.fail("repo/agents-md", "AGENTS.md", "AGENTS.md is empty", "write the repository's conventions into it")
	} else {
		r.pass("repo/agents-md")
	}
	if hasCommands(text) {
		r.pass("repo/commands")
	} else {
		r.fail("repo/commands", "AGENTS.md", "AGENTS.md has no block of commands", "add a code block with the build, test and lint commands")
	}
}

// hasCommands finds a code block, or commands in code spans under a heading that speaks of them.
func hasCommands(text string) bool {
	if planmd.HasCode([]byte(text)) {
		return true
	}
	doc := planmd.ReadTask([]byte(text))
	for i := range doc.Sections {
		s := &doc.Sections[i]
		if strings.Contains(strings.ToLower(s.Label), "command") && strings.Count(doc.Text(s.Body), "`") >= 2 {
			return true
		}
	}
	return false
}

// agentFiles: each per-agent file that exists refers to AGENTS.md and does not copy it (AG-2).
func (r *repo) agentFiles(agents string) {
	lines := map[string]bool{}
	for line := range strings.Lines(agents) {
		if line = strings.TrimSpace(line); len(line) > 20 {
			lines[line] = true
		}
	}
	failed := false
	for _, name := range agentFiles {
		text, err := r.read(name)
		if err != nil {
			continue
		}
		same := 0
		for line := range strings.Lines(text) {
			if lines[strings.TrimSpace(line)] {
				same++
			}
		}
		linked := isLink(filepath.Join(r.dir, name))
		switch {
		case linked:
		case !strings.Contains(text, "AGENTS.md"):
			failed = true
			r.fail("repo/agent-files", name, name+" does not refer to AGENTS.md", "point it to AGENTS.md, for example with the line @AGENTS.md")
		case same > copied:
			failed = true
			r.fail("repo/agent-files", name, fmt.Sprintf("%s repeats %d lines of AGENTS.md", name, same), "refer to AGENTS.md instead of copying it")
		}
	}
	if !failed {
		r.pass("repo/agent-files")
	}
}

func isLink(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

func (r *repo) folders(id string, names ...string) {
	var missing []string
	for _, name := range names {
		if info, err := os.Stat(filepath.Join(r.dir, filepath.FromSlash(name))); err != nil || !info.IsDir() {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		r.fail(id, missing[0], "missing: "+strings.Join(missing, ", "), "make the folder")
		return
	}
	r.pass(id)
}

func (r *repo) file(id, name string) {
	if _, err := r.read(name); err != nil {
		r.fail(id, name, "missing: "+name, "write it")
		return
	}
	r.pass(id)
}
