package disk

import (
	"strings"
	"testing"
)

// TestParseStat: a program's name may hold what separates the fields; a zombie writes nothing any more (C61, C63).
func TestParseStat(t *testing.T) {
	line := func(name, state string) string {
		return "12 (" + name + ") " + state + strings.Repeat(" 1", 18) + " 4711 3133440 390\n"
	}
	for _, c := range []struct {
		stat, start string
		runs        bool
	}{
		{line("cat", "R"), "4711", true},
		{line("a) Z 1 (b", "S"), "4711", true},
		{line(") (", "D"), "4711", true},
		{line("cat", "Z"), "", false},
		{line("cat", "X"), "", false},
		{"12 (cat) R 1 2", "", true},
		{"", "", true},
	} {
		if start, runs := parseStat(c.stat); start != c.start || runs != c.runs {
			t.Errorf("parseStat(%q) = %q, %v, want %q, %v", c.stat, start, runs, c.start, c.runs)
		}
	}
}

func TestProcessStart(t *testing.T) {
	if start, runs := processStart(1); !runs {
		t.Errorf("process 1: %q, %v", start, runs)
	}
	// Linux gives out no number over 2^22.
	if start, runs := processStart(1 << 23); runs {
		t.Errorf("no process: %q, %v", start, runs)
	}
	if _, runs := processStart(0); !runs {
		t.Error("number 0, which means a group, was said to be dead")
	}
}
