package author

import (
	"errors"
	"testing"
	"time"

	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/state"
)

var clock = time.Date(2026, 9, 1, 10, 0, 0, 0, time.UTC)

// base are options that a test changes.
func base() Options {
	return Options{Name: "PLAN_export_invoices", Agent: "tester", Model: "model-x", Era: state.V2, CreatedAt: clock}
}

// outlineOf reads an outline that has no gaps.
func outlineOf(t testing.TB, text string) Outline {
	t.Helper()
	o, gaps := ReadOutline([]byte(text))
	if len(gaps) > 0 {
		t.Fatalf("outline: %v", gaps)
	}
	return o
}

// prepared works a plan out that must be sound.
func prepared(t testing.TB, o Outline, opt Options) *Plan {
	t.Helper()
	p, err := Prepare(o, opt)
	if err != nil {
		if e, ok := errors.AsType[*Unsound](err); ok {
			for _, f := range e.Findings {
				t.Log(shown(f))
			}
		}
		if e, ok := errors.AsType[*Incomplete](err); ok {
			t.Log(e.Gaps)
		}
		t.Fatal(err)
	}
	return p
}

func shown(f rule.Finding) string {
	return string(f.Level) + " " + f.Rule + " " + f.File + ": " + f.Message
}

// The example that --outline-template prints makes a conformant plan as it is, without advice.
func TestTemplate(t *testing.T) {
	p := prepared(t, outlineOf(t, Template()), base())
	for _, f := range p.Advice {
		t.Error(shown(f))
	}
	if p.Choice.Format != "lite" || len(p.Outline.Tasks) != 2 {
		t.Errorf("format %s, %d tasks", p.Choice.Format, len(p.Outline.Tasks))
	}
	t.Log(p.Final()["README.md"])
}
