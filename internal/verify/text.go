package verify

import (
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/strictjson"
)

// document is one Markdown file of the plan, with its path.
type document struct {
	path string
	doc  *planmd.Doc
	// carries says that the file carries plan structure: README.md and the task files.
	carries bool
}

func (c *checker) documents() []document {
	var docs []document
	if c.s.README != nil {
		docs = append(docs, document{"README.md", &c.s.README.Doc, true})
	}
	for _, t := range c.s.TaskFiles {
		if t.Doc != nil {
			docs = append(docs, document{t.Path, &t.Doc.Doc, true})
		}
	}
	if c.s.Progress != nil {
		docs = append(docs, document{"PROGRESS.md", &c.s.Progress.Doc, false})
	}
	if c.s.Review != nil {
		docs = append(docs, document{plan.ReviewFile, &c.s.Review.Doc, false})
	}
	if c.s.Candidates != nil {
		docs = append(docs, document{plan.CandidatesFile, &c.s.Candidates.Doc, false})
	}
	if c.s.Hub != nil {
		docs = append(docs, document{plan.HubFile, &c.s.Hub.Doc, false})
	}
	return docs
}

// checkText reports what is wrong with the documents as text (PD-10, C05, C45, C47).
func checkText(c *checker) {
	for _, d := range c.documents() {
		for _, p := range d.doc.Problems {
			at := docPlace(d.path, d.doc, p.Span, 0)
			soft := weaker(!d.carries)
			switch p.Kind {
			case planmd.NotUTF8:
				c.addLevel(soft, "text/not-utf8", at, "a byte that is not UTF-8"+detail(p.Detail), "save the file as UTF-8")
			case planmd.ByteOrderMark:
				c.add("text/bom", at, "the file begins with a byte-order mark", "save it without one; it was read all the same")
			case planmd.ConflictMarker:
				c.add("text/conflict-markers", at, "an unresolved merge"+detail(p.Detail), "resolve the conflict")
			case planmd.FenceUnclosed:
				c.addLevel(soft, "text/fence-unclosed", at, "this code fence is never closed"+detail(p.Detail), "close it, or remove the stray line")
			case planmd.FenceRunaway:
				c.addLevel(soft, "text/fence-runaway", at, "this code fence swallows parts of the plan"+detail(p.Detail), "remove the stray fence line")
			case planmd.CommentUnclosed:
				c.addLevel(soft, "text/comment-unclosed", at, "this HTML comment is never closed"+detail(p.Detail), "close it with -->")
			}
		}
	}
}

func detail(s string) string {
	if s == "" {
		return ""
	}
	return ": " + strictjson.Shorten(s, 100)
}

// checkJSON reports what keeps the JSON files from being read (PS-23, C45, C47, C49).
func checkJSON(c *checker) {
	for _, f := range []struct {
		path  string
		fault *strictjson.SyntaxError
	}{
		{state.ManifestFile, c.s.ManifestSyntax},
		{state.StateFile, c.s.StateSyntax},
		{state.ReceiptFile, c.s.ReceiptSyntax},
	} {
		if f.fault == nil {
			continue
		}
		at := rule.Place{File: f.path, Line: f.fault.Line, Column: f.fault.Column}
		c.add(SyntaxRule(f.fault.Reason), at, f.fault.Message, jsonHint(f.path))
	}
	if c.s.Manifest != nil && c.s.Manifest.Doc != nil && c.s.Manifest.Doc.BOM {
		c.add("json/bom", rule.Place{File: state.ManifestFile}, "the file begins with a byte-order mark", "save it without one; it was read all the same")
	}
	if c.s.State != nil && c.s.State.Doc != nil && c.s.State.Doc.BOM {
		c.add("json/bom", rule.Place{File: state.StateFile}, "the file begins with a byte-order mark", "save it without one; it was read all the same")
	}
}

// SyntaxRule is the rule that a reason stands for (PS-23).
func SyntaxRule(reason strictjson.Reason) string {
	switch reason {
	case strictjson.DuplicateKey:
		return "json/duplicate-key"
	case strictjson.ConflictMarker:
		return "json/conflict-markers"
	case strictjson.TooDeep, strictjson.TooLarge:
		return "json/limits"
	}
	return "json/syntax"
}

func jsonHint(path string) string {
	if path == state.StateFile {
		return "restore it, or make it anew from the README, which holds"
	}
	return "restore it from a copy"
}
