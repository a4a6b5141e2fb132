package state

import (
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/strictjson"
)

// eras are the generations with files.
var eras = []Era{V1, V2, V5}

// manifestText is a manifest with every member its era knows.
func manifestText(era Era) string {
	text := `{
  "schema": "` + SchemaURL(ManifestFile, era) + `",
  "spec_version": "5.0.0",
  "name": "PLAN_tide_tables",
  "title": "Tide tables",
  "archetype": "individual",
  "rigor": "standard",
  "plan_format": "full",
  "created_at": "2026-09-01T09:00:00Z",
  "created_by": {
    "agent": "agent-one",
    "model": "model-one"
  },
  "tags": [
    "harbour"
  ],
  "task_count": 2,
  "parent_plan": "fleet:PLAN_harbour_works"
}
`
	if era == V1 {
		return strings.Replace(text, "  \"plan_format\": \"full\",\n", "", 1)
	}
	return text
}

// stateText is a state with every member its era knows.
func stateText(era Era) string {
	text := `{
  "schema": "` + SchemaURL(StateFile, era) + `",
  "plan": "PLAN_tide_tables",
  "updated_at": "2026-09-01T10:30:00+02:00",
  "updated_by": {
    "agent": "agent-one",
    "model": "model-one"
  },
  "status": "blocked",
  "completed_count": 1,
  "task_count": 2,
  AXES
  "tasks": [
    {
      "id": 1,
      LOCATOR1
      "title": "Read the tables",
      "status": "completed",
      "started_at": "2026-09-01T09:00:00Z",
      "completed_at": "2026-09-01T10:30:00.25Z",
      "commit": "a1b2c3d",
      "gates": [
        {
          "command": "make check",
          "passes": true,
          "exit_code": 0,
          "last_run": "2026-09-01T10:29:00Z",
          "evidence": "31 passed"
        },
        {
          "command": "make lint",
          "passes": false
        }
      ],
      "outcome": {
        "tried": [
          "one pass"
        ],
        "failed": [],
        "worked": "two passes",
        "notes": "tables are in local time"
      }
    },
    {
      "id": 2,
      LOCATOR2
      "title": "Final Review",
      "status": "blocked",
      "gates": []
    }
  ],
  "checkpoint": {
    "task": 2,
    "step": "instructions:1",
    "at": "2026-09-01T10:30:00Z",
    "note": "waits"
  },
  "blocked": {
    "task": 2,
    "reason": "[S2] no key for the tide service",
    "since": "2026-09-01T10:30:00Z",
    "needs": "a key"
  }
}
`
	axes := `"format": "full",
  "materialization": "promoting",
  "approval": "approved",
  "promotion": {
    "from": "lite",
    "to": "full",
    "phase": "intent",
    "tasks": [
      1
    ]
  },`
	locator := `"locator": {
        "kind": "file",
        "value": "NAME"
      },`
	if era == V1 {
		axes, locator = "", `"file": "NAME",`
	}
	return strings.NewReplacer("AXES", axes,
		"LOCATOR1", strings.Replace(locator, "NAME", "1.task_read_tables.md", 1),
		"LOCATOR2", strings.Replace(locator, "NAME", "2.task_final_review.md", 1)).Replace(text)
}

// receiptText is a receipt as we write it.
func receiptText() string {
	sum := strings.Repeat("0a", 32)
	return `{"state_sha256": "` + sum + `", "artifacts_sha256": "` + sum + `", "result": "verified", "files": [` +
		`{"path": "README.md", "sha256": "` + sum + `"}, {"path": "PROGRESS.md", "sha256": "` + sum + `", "length": 120}], "by": "dwp"}`
}

// mustState decodes a state that must be strict JSON.
func mustState(t *testing.T, src string) (*State, []Fault) {
	t.Helper()
	s, faults, err := ReadState([]byte(src))
	if err != nil {
		t.Fatalf("ReadState: %v\n%s", err, src)
	}
	return s, faults
}

// mustManifest decodes a manifest that must be strict JSON.
func mustManifest(t *testing.T, src string) (*Manifest, []Fault) {
	t.Helper()
	m, faults, err := ReadManifest([]byte(src))
	if err != nil {
		t.Fatalf("ReadManifest: %v\n%s", err, src)
	}
	return m, faults
}

// tree parses a text that must be strict JSON.
func tree(t *testing.T, src string) *strictjson.Value {
	t.Helper()
	doc, err := strictjson.Parse([]byte(src))
	if err != nil {
		t.Fatalf("Parse: %v\n%s", err, src)
	}
	return doc.Root
}
