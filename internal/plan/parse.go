package plan

import (
	"bytes"
	"cmp"
	"errors"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/deepworkplan/dwp/internal/evidence"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/strictjson"
)

// parsedState is state.json, parsed while the folder is read: its evidence names logs to read.
type parsedState struct {
	src    []byte
	state  *state.State
	faults []state.Fault
	syntax *strictjson.SyntaxError
	logs   []string // slash paths under analysis_results
}

// update parses the state.json that was read, unless it is the one parsed before.
func (p *parsedState) update(files map[string]*File) {
	f := files[state.StateFile]
	if f == nil || f.Err != nil {
		*p = parsedState{}
		return
	}
	if p.src != nil && bytes.Equal(p.src, f.Data) {
		f.Data = p.src // the spans point into one array
		return
	}
	*p = parsedState{src: f.Data}
	var err error
	p.state, p.faults, err = state.ReadState(f.Data)
	p.syntax = syntaxError(err)
	p.logs = evidenceLogs(p.state)
}

// evidenceLogs lists the logs inside analysis_results that evidence names, each once.
func evidenceLogs(st *state.State) []string {
	if st == nil {
		return nil
	}
	var logs []string
	for _, t := range st.Tasks {
		for _, g := range t.Gates {
			if !strings.Contains(g.Evidence, resultsDir) {
				continue
			}
			for _, pointer := range evidence.Pointers(g.Evidence) {
				if pointer.Inside {
					logs = append(logs, path.Clean(filepath.ToSlash(pointer.Path)))
				}
			}
		}
	}
	slices.Sort(logs)
	return slices.Compact(logs)
}

func (s *Snapshot) takeState(p parsedState) {
	s.State, s.StateFaults, s.StateSyntax = p.state, p.faults, p.syntax
}

// parse reads every document but state.json.
func (s *Snapshot) parse() {
	if src, ok := s.source(state.ManifestFile); ok {
		var err error
		s.Manifest, s.ManifestFaults, err = state.ReadManifest(src)
		s.ManifestSyntax = syntaxError(err)
	}
	if src, ok := s.source(state.ReceiptFile); ok {
		var err error
		s.Receipt, s.ReceiptFaults, err = state.ReadReceipt(src)
		s.ReceiptSyntax = syntaxError(err)
	}
	s.README = parseAs(s, readmeFile, planmd.ReadREADME)
	s.Progress = parseAs(s, progressFile, planmd.ReadProgress)
	s.Review = parseAs(s, ReviewFile, planmd.ReadReview)
	s.Candidates = parseAs(s, CandidatesFile, planmd.ReadCandidates)
	s.Hub = parseAs(s, HubFile, planmd.ReadHub)
	s.parseTasks()
}

func (s *Snapshot) parseTasks() {
	for p := range s.Files {
		number, ok := TaskNumber(p)
		if kind := s.Nodes[p].Kind; !ok || !isDocument(p) || kind != RegularFile && kind != Link {
			continue
		}
		f := TaskFile{Number: number, Path: p, Doc: parseAs(s, p, planmd.ReadTask)}
		if path.Dir(p) == "." {
			s.TaskFiles = append(s.TaskFiles, f)
		} else {
			s.Nested = append(s.Nested, f)
		}
	}
	slices.SortFunc(s.TaskFiles, func(a, b TaskFile) int {
		return cmp.Or(cmp.Compare(a.Number, b.Number), cmp.Compare(a.Path, b.Path))
	})
	slices.SortFunc(s.Nested, func(a, b TaskFile) int { return cmp.Compare(a.Path, b.Path) })
}

func parseAs[T any](s *Snapshot, p string, read func([]byte) *T) *T {
	src, ok := s.source(p)
	if !ok {
		return nil
	}
	return read(src)
}

// source is the content of a file that was read.
func (s *Snapshot) source(p string) ([]byte, bool) {
	f := s.Files[p]
	if f == nil || f.Err != nil {
		return nil, false
	}
	return f.Data, true
}

func syntaxError(err error) *strictjson.SyntaxError {
	syntax, _ := errors.AsType[*strictjson.SyntaxError](err)
	return syntax
}

// Covered lists the files that a receipt covers, as sorted slash paths (VP-5): README, task records, manifest,
// PROMPTS, SECURITY_REVIEW, the logs that evidence names, and the two files that may grow, PROGRESS and
// SKILLS_CANDIDATES. Files that don't exist are not in it; one that could not be read is, with its File's Err.
func (s *Snapshot) Covered() []string {
	list := []string{readmeFile, progressFile, promptsFile, ReviewFile, CandidatesFile, state.ManifestFile}
	for _, f := range s.TaskFiles {
		list = append(list, f.Path)
	}
	for _, f := range s.Nested {
		list = append(list, f.Path)
	}
	list = append(list, evidenceLogs(s.State)...)
	// What a turn keeps is no receipt's, evidence or not: it goes on after the plan's last task.
	list = slices.DeleteFunc(list, func(p string) bool {
		return s.Files[p] == nil || p == state.ReceiptFile || strings.HasPrefix(p, turnsDir)
	})
	slices.Sort(list)
	return slices.Compact(list)
}
