package verify_test

import (
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/plantest"
)

// TestAmendedCriteria: only an amendment closes a criterion that was not met, and only one with the authority it takes, in the words of
// the criterion; the revised one then counts (AM-2, AM-4).
func TestAmendedCriteria(t *testing.T) {
	for name, test := range map[string]struct {
		original, disposition, revised, authority string
		open                                      bool
	}{
		"deferred":              {"counts agree", "deferred to Task 3", "", "user", false},
		"in other typography":   {"**Counts** agree.", "deferred to Task 3", "", "developer", false},
		"excepted":              {"counts agree", "exception, bounded: shard 1", "", "user", false},
		"revised":               {"counts agree", "revised", "counts agree but for retries", "evidence", false},
		"deferred by nobody":    {"counts agree", "deferred to Task 3", "", "evidence", true},
		"excepted by developer": {"counts agree", "exception, bounded: shard 1", "", "developer", true},
		"another criterion":     {"sums agree", "deferred to Task 3", "", "user", true},
		"not executed":          {"counts agree", "unexecuted", "", "user", true},
		"failed":                {"counts agree", "failed", "", "evidence", true},
		"revised to nothing":    {"counts agree", "revised", "", "user", true},
	} {
		files := plantest.Plan(plantest.Spec{Tasks: 3, Done: 1, Full: true})
		file := files["1.task_load_shard_1.md"]
		text := strings.Replace(string(file.Data), "- [x] counts agree", "- [ ] counts agree", 1)
		revised := ""
		if test.revised != "" {
			revised = "- Revised criterion: " + test.revised + "\n"
		}
		file.Data = []byte(text + "\n### Amendment 1 \u2014 2026-09-01\n\n- Original criterion: " + test.original + "\n- Observed: x\n- Disposition: " + test.disposition +
			"\n" + revised + "- Reason: y\n- Authority: " + test.authority + "\n- Affected tasks: 1\n- Evidence invalidated: none\n- Evidence preserved: none\n")
		open := false
		for _, f := range check(t, files).Findings {
			open = open || f.Rule == "record/open-criteria"
		}
		if open != test.open {
			t.Errorf("%s: open is %v", name, open)
		}
	}
}
