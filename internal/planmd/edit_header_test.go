package planmd_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/planmd"
)

// TestAddHeaderField: a new line of the head has the form of the one beside it and reads back; all other bytes stay (DESIGN 1, PD-4,
// PD-12).
func TestAddHeaderField(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"lines":        {"# A\n\n**Standard:** DWP spec 5.0.0\n**Format:** lite\n\n## Goal\n", "# A\n\n**Standard:** DWP spec 5.0.0\n**Format:** lite\n**Approval:** approved by Ada\n\n## Goal\n"},
		"items":        {"# A\n\n* Standard: DWP spec 5.0.0\n\n## Goal\n", "# A\n\n* Standard: DWP spec 5.0.0\n- **Approval:** approved by Ada\n\n## Goal\n"},
		"table":        {"# A\n\n| Field | Value |\n|---|---|\n| Standard | DWP spec 5.0.0 |\n\nx\n", "# A\n\n| Field | Value |\n|---|---|\n| Standard | DWP spec 5.0.0 |\n| Approval | approved by Ada |\n\nx\n"},
		"heading":      {"# A\n\n## Standard\n\nDWP spec 5.0.0\n\n## Goal\n\nGo.\n", "# A\n\n## Standard\n\nDWP spec 5.0.0\n\n**Approval:** approved by Ada\n\n## Goal\n\nGo.\n"},
		"one line":     {"# A\n\n**Standard:** DWP spec 5.0.0 | **Format:** lite\n\nx\n", "# A\n\n**Standard:** DWP spec 5.0.0 | **Format:** lite\n**Approval:** approved by Ada\n\nx\n"},
		"title":        {"# A\n\nGo.\n", "# A\n\n**Approval:** approved by Ada\n\nGo.\n"},
		"underlined":   {"A\n=\n\nGo.\n", "A\n=\n\n**Approval:** approved by Ada\n\nGo.\n"},
		"only a title": {"# A", "# A\n\n**Approval:** approved by Ada"},
		"no title":     {"\ufeffGo.\n", "\ufeff**Approval:** approved by Ada\n\nGo.\n"},
		"CRLF":         {"# A\r\n\r\n**Format:** lite\r\n", "# A\r\n\r\n**Format:** lite\r\n**Approval:** approved by Ada\r\n"},
	} {
		r := planmd.ReadREADME([]byte(test.text))
		e := planmd.NewEdit(&r.Doc)
		e.AddHeaderField(r, "Approval", "approved by Ada")
		got, err := e.Bytes()
		if err != nil || string(got) != test.want {
			t.Errorf("%s: got %q, %v\nwant %q", name, got, err, test.want)
		}
		if back := planmd.ReadREADME(got); back.Approval == nil || back.Approval.Value != "approved by Ada" || back.StandardVersion != r.StandardVersion {
			t.Errorf("%s: reads %+v", name, back.Approval)
		}
	}
}

// TestCriteria: criteria are the items of a list, however they are written, with the lines that go on with them (AM-1).
func TestCriteria(t *testing.T) {
	for name, test := range map[string]struct {
		body string
		want []string
	}{
		"boxes":     {"- [ ] one\n- [x] two\n  and more\n* [ ] three", []string{"one", "two and more", "three"}},
		"bullets":   {"- one\n2. two\n", []string{"one", "two"}},
		"loose":     {"- [ ] one\n\n- [ ] two\n", []string{"one", "two"}},
		"nested":    {"- [ ] one\n  - [ ] part\n", []string{"one", "part"}},
		"prose":     {"It works.\nAnd fast.\n\nAlways.\n", []string{"It works. And fast.", "Always."}},
		"code":      {"- [ ] one\n\n```sh\n- [ ] no\n```\n", []string{"one"}},
		"Thai":      {"- [ ] \u0e23\u0e32\u0e04\u0e32\u0e16\u0e39\u0e01\n", []string{"\u0e23\u0e32\u0e04\u0e32\u0e16\u0e39\u0e01"}},
		"a link":    {"- [one](x.md)\n- [one] two\n", []string{"[one](x.md)", "[one] two"}},
		"CRLF":      {"- [ ] one\r\n  more\r\n- [ ] two\r\n", []string{"one more", "two"}},
		"an empty":  {"- [ ] \n- [ ] two\n", []string{"two"}},
		"a comment": {"<!-- each with a box -->\n- [ ] two\n", []string{"two"}},
	} {
		file := planmd.ReadTask([]byte("# Task 1: A\n\n## Acceptance Criteria\n\n" + test.body))
		var got []string
		for _, c := range file.Criteria(file.Section(planmd.Acceptance)) {
			got = append(got, c.Text)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, want %q", name, got, test.want)
		}
	}
}

// TestAddCriterion: a criterion that is added is one more open box, and what stands there keeps its bytes (DESIGN 1, AM-2).
func TestAddCriterion(t *testing.T) {
	for name, body := range map[string]string{
		"boxes": "- [ ] one\n- [x] two\n", "loose": "- [ ] one\n\n- [ ] two\n\n", "nested": "- [ ] one\n  - [ ] part\n", "prose": "It works.\n",
		"behind prose": "- [ ] one\n\nAll of it.\n", "bullets": "- one\n", "CRLF": "- [ ] one\r\n", "none": "", "code last": "- [ ] one\n\n```sh\nrun\n```\n",
	} {
		text := "# Task 1: A\n\n## Acceptance Criteria\n\n" + body + "\n## Validation\n\nrun\n"
		if strings.Contains(body, "\r") {
			text = strings.ReplaceAll(strings.ReplaceAll(text, "\r", ""), "\n", "\r\n")
		}
		file := planmd.ReadTask([]byte(text))
		section := file.Section(planmd.Acceptance)
		e := planmd.NewEdit(&file.Doc)
		e.AddCriterion(section, "three (deferred from Task 2)")
		got, err := e.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		back := planmd.ReadTask(got)
		boxes := back.Section(planmd.Acceptance).Boxes
		if len(boxes) != len(section.Boxes)+1 || boxes[len(boxes)-1].Checked() {
			t.Errorf("%s: %d boxes, then %d: %q", name, len(section.Boxes), len(boxes), got)
		}
		if list := back.Criteria(back.Section(planmd.Acceptance)); list[len(list)-1].Text != "three (deferred from Task 2)" {
			t.Errorf("%s: the last criterion is %+v", name, list)
		}
		if v := back.Section(planmd.Validation); v == nil || !strings.Contains(back.Text(v.Body), "run") || len(back.Sections) != len(file.Sections) {
			t.Errorf("%s: another section changed: %q", name, got)
		}
	}
}
