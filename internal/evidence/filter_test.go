package evidence

import "testing"

// C77: the exit code of these commands is not the check's.
func TestFiltered(t *testing.T) {
	for command, want := range map[string]string{
		"tsc 2>&1 | tail -5; echo EXIT=$?":          "; echo EXIT=$?",
		"tsc 2>&1 | tail -5":                        "| tail -5",
		"go test ./... | tee out.log":               "| tee out.log",
		"go test ./... |& grep FAIL":                "|& grep FAIL",
		"go test ./... 2>&1 | sed 's/|/ /' | wc -l": "| wc -l",
		"npm test|cat":                              "|cat",
		"npm test | sudo /usr/bin/tail -5":          "| sudo /usr/bin/tail -5",
		"npm test | LC_ALL=C sort":                  "| LC_ALL=C sort",
		"npm test | tail && echo ok":                "| tail",
		"go test ./...; true":                       "; true",
		"go test ./... || true":                     "|| true",
		"go test ./... || :":                        "|| :",
		"go test ./... || exit 0":                   "|| exit 0",
		"go test ./...; exit 0":                     "; exit 0",
		"go test ./... || { echo bad; }":            "|| { echo bad; }",
		"go test ./...\ntrue":                       "true",
		"go test ./... &":                           "go test ./... &",
		"go test ./... & wait":                      "& wait",
		"(tsc | tail -5)":                           "| tail -5",
		"bash -c 'tsc | tail -5'":                   "| tail -5",
		"go test ./... > x.log 2>&1; tail x.log":    "; tail x.log",
		"set +o pipefail; npm test | tail":          "| tail",
		"npm test |\n tail -5":                      "|\n tail -5",
		"set -o pipefail; npm test | tail; true":    "; true",
		"npm test | jq .":                           "| jq .",
		"npm test | tail -5 # last lines":           "| tail -5 # last lines",
	} {
		if got, ok := Filtered(command); !ok || got.Text != want || got.Hint {
			t.Errorf("Filtered(%q) = %+v, %t, want %q", command, got, ok, want)
		}
	}
	for _, command := range []string{
		"", "go test ./...", "go test ./... 2>&1", "set -o pipefail; npm test | tail -5", "bash -eo pipefail -c 'npm test | tail'", "npm test | tail -5; test ${PIPESTATUS[0]} -eq 0",
		`echo "a | tail"`, "grep -c x file", "a && b", "go vet ./... && go test ./...", "go test ./... && echo ok", "test -f a || exit 1", "[[ -f a || -f b ]]", "go test -run 'A|B' ./...",
		`go test -run "A||true" ./...`, "go test ./... &> x.log", "go test ./... > x.log 2>&1", "cd app; npm test", "cd app; grep -c x file", "cat x | go run ./check", "go test ./... || { echo bad; exit 1; }",
		"make check; exit $?", "curl -s localhost | jq -e .ok", "for d in a b; do go test ./$d; done", "go test ./... & wait $!", "echo ${x}|go run ./check", "true", "echo done", "cd app; cat x",
		"go test ./... # | tail", `go test -run 'it''s | tail'`, "tail -5 x", "|", "||", ";;", "&", "'", `"`, "\\", "(", "{",
	} {
		if got, ok := Filtered(command); ok {
			t.Errorf("Filtered(%q) = %+v, want none", command, got)
		}
	}
}
