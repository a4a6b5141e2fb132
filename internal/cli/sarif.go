package cli

import (
	"net/url"
	"path/filepath"
	"strings"

	"github.com/deepworkplan/dwp/internal/rule"
)

// The parts of SARIF 2.1.0 (OASIS standard, sections 3.13 to 3.52) that we write.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool         `json:"tool"`
		Invocations []sarifInvocation `json:"invocations"`
		ColumnKind  string            `json:"columnKind"`
		Results     []sarifResult     `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID                   string          `json:"id"`
		ShortDescription     sarifText       `json:"shortDescription"`
		FullDescription      *sarifText      `json:"fullDescription,omitempty"`
		Help                 *sarifText      `json:"help,omitempty"`
		DefaultConfiguration sarifConfig     `json:"defaultConfiguration"`
		Properties           sarifProperties `json:"properties"`
	}
	sarifConfig struct {
		Level string `json:"level"`
	}
	sarifProperties struct {
		Requirement string `json:"requirement,omitempty"`
		Plan        string `json:"plan,omitempty"`
		Verdict     string `json:"verdict,omitempty"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifInvocation struct {
		ExecutionSuccessful        bool                `json:"executionSuccessful"`
		ToolExecutionNotifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct {
		Level   string    `json:"level"`
		Message sarifText `json:"message"`
	}
	sarifResult struct {
		RuleID          string          `json:"ruleId"`
		RuleIndex       int             `json:"ruleIndex"`
		Level           string          `json:"level"`
		Message         sarifText       `json:"message"`
		Locations       []sarifLocation `json:"locations"`
		Related         []sarifLocation `json:"relatedLocations,omitempty"`
		OccurrenceCount int             `json:"occurrenceCount,omitempty"`
		Properties      sarifProperties `json:"properties"`
	}
	sarifLocation struct {
		PhysicalLocation sarifPhysical `json:"physicalLocation"`
	}
	sarifPhysical struct {
		ArtifactLocation sarifArtifact `json:"artifactLocation"`
		Region           *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI       string `json:"uri"`
		URIBaseID string `json:"uriBaseId,omitempty"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn,omitempty"`
	}
)

const sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

// sarifOf makes the SARIF log of a verification. Rules are those that were reported, in catalogue order; a plan that could not be
// read, and a rule that could not be evaluated, are notifications, and the run is then not successful.
// Levels, columns (in characters, hence columnKind) and places are those of the findings; nothing is computed here.
func sarifOf(v *verification, version string) sarifLog {
	index := map[string]int{}
	run := sarifRun{
		Tool:       sarifTool{sarifDriver{Name: "dwp", Version: version, Rules: sarifRules(v, index)}},
		ColumnKind: "unicodeCodePoints", Results: []sarifResult{},
	}
	var notes []sarifNotification
	for i := range v.plans {
		c := &v.plans[i]
		for _, f := range c.report.Findings {
			run.Results = append(run.Results, sarifResultOf(f, index, c.Name, c.locate))
		}
		notes = append(notes, sarifNotes(c)...)
	}
	// What lies beside the plans belongs to none of them.
	for _, f := range v.findings {
		run.Results = append(run.Results, sarifResultOf(f, index, "", inRepository))
	}
	if v.err != nil {
		notes = append(notes, sarifNotification{"error", sarifText{v.err.message}})
	}
	run.Invocations = []sarifInvocation{{ExecutionSuccessful: len(notes) == 0, ToolExecutionNotifications: notes}}
	return sarifLog{Schema: sarifSchema, Version: "2.1.0", Runs: []sarifRun{run}}
}

// sarifNotes says what of a plan could not be evaluated.
func sarifNotes(c *checked) []sarifNotification {
	var notes []sarifNotification
	if c.err != nil {
		notes = append(notes, sarifNotification{"error", sarifText{c.Name + ": could not be read: " + cause(c.err).Error()}})
	}
	for _, u := range c.report.Unevaluated {
		notes = append(notes, sarifNotification{"warning", sarifText{c.Name + ": rule " + u.Rule + " was not evaluated: " + u.Reason}})
	}
	return notes
}

// sarifRules lists the reported rules and fills index with their places in the list.
func sarifRules(v *verification, index map[string]int) []sarifRule {
	reported := map[string]*ruleResult{}
	add := func(findings []rule.Finding) {
		for _, f := range findings {
			r, ok := rule.Lookup(f.Rule)
			if !ok {
				r = rule.Rule{ID: f.Rule, Level: f.Level, Requirement: f.Requirement, Title: f.Rule}
			}
			reported[f.Rule] = &ruleResult{Rule: r}
		}
	}
	for i := range v.plans {
		add(v.plans[i].report.Findings)
	}
	add(v.findings)
	rules := []sarifRule{}
	for _, r := range inOrder(reported) {
		index[r.ID] = len(rules)
		rules = append(rules, sarifRule{
			ID: r.ID, ShortDescription: sarifText{r.Title},
			FullDescription: optionalText(r.Why), Help: optionalText(r.Mend),
			DefaultConfiguration: sarifConfig{sarifLevel(r.Level)}, Properties: sarifProperties{Requirement: r.Requirement},
		})
	}
	return rules
}

func optionalText(s string) *sarifText {
	if s == "" {
		return nil
	}
	return &sarifText{s}
}

// sarifResultOf makes the result of a finding. The places of a repeated defect after the first are related locations.
func sarifResultOf(f rule.Finding, index map[string]int, plan string, locate func(string) sarifArtifact) sarifResult {
	// SARIF has no field for a hint; fixes there are edits, which we don't make.
	text := f.Message
	if f.Hint != "" {
		text += "; " + f.Hint
	}
	result := sarifResult{
		RuleID: f.Rule, RuleIndex: index[f.Rule], Level: sarifLevel(f.Level), Message: sarifText{text},
		Locations:       []sarifLocation{sarifAt(f.Place, locate)},
		OccurrenceCount: f.Count,
		Properties:      sarifProperties{Requirement: f.Requirement, Plan: plan},
	}
	for _, p := range f.Places[min(1, len(f.Places)):] {
		result.Related = append(result.Related, sarifAt(p, locate))
	}
	return result
}

// sarifAt makes a location; one without a line stands for the whole file.
func sarifAt(p rule.Place, locate func(string) sarifArtifact) sarifLocation {
	at := sarifLocation{sarifPhysical{ArtifactLocation: locate(p.File)}}
	// SARIF counts lines from 1; a region of line 0 is refused by its readers.
	if p.Line > 0 {
		at.PhysicalLocation.Region = &sarifRegion{StartLine: p.Line, StartColumn: p.Column}
	}
	return at
}

// sarifLevel maps our levels to those of SARIF 3.27.10.
func sarifLevel(l rule.Level) string {
	switch l {
	case rule.Must:
		return "error"
	case rule.Should:
		return "warning"
	}
	return "note"
}

// locate gives the URI of a file of the plan: relative to the repository, percent-encoded; absolute when the plan
// lies outside (DWP_DIR).
func (c *checked) locate(file string) sarifArtifact {
	base := repository(c.root)
	// Code scanning matches results with the files of a checkout, so paths are relative to it (SARIF 3.4.4).
	full := filepath.Join(c.Path, filepath.FromSlash(file))
	rel, err := filepath.Rel(base, full)
	if base == "" || err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return sarifArtifact{URI: fileURI(full, file == "")}
	}
	return sarifArtifact{URI: relativeURI(filepath.ToSlash(rel), file == ""), URIBaseID: "%SRCROOT%"}
}

// inRepository gives the URI of a file that is named relative to the repository.
func inRepository(file string) sarifArtifact {
	if file == "" {
		file = "."
	}
	return sarifArtifact{URI: relativeURI(file, false), URIBaseID: "%SRCROOT%"}
}

// relativeURI percent-encodes a slash path; a folder ends in a slash.
func relativeURI(path string, folder bool) string {
	if folder {
		path += "/"
	}
	return (&url.URL{Path: path}).String()
}

// fileURI is the URI of an absolute path.
func fileURI(path string, folder bool) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive letter
	}
	if folder {
		path += "/"
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}
