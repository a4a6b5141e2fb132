package cli

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// C157: stored text can't fake the frame around it, nor reach the terminal as control codes.
func TestCleanLine(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"", ""},
		{"plain text", "plain text"},
		{" two  lines\r\n and\ta tab ", "two lines and a tab"},
		{"\x1b[31mred\x1b[0m", `\x1b[31mred\x1b[0m`},
		{"\u009b2J", `\x9b2J`},
		{"rub\x7fout", `rub\x7fout`},
		{"user\u202etxt.exe", `user\u202etxt.exe`},
		{"line\u2028break", "line break"},
		{"\xff\xfe", `\xff\xfe`},
		{"\ufffd", "\ufffd"},
		{"\u4e2d\u6587 \u0e44\u0e17\u0e22 \U0001f600", "\u4e2d\u6587 \u0e44\u0e17\u0e22 \U0001f600"},
	} {
		if got := cleanLine(tt.in); got != tt.want {
			t.Errorf("cleanLine(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestCleanBlock(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"a\r\nb\tc\n", "a\nb\tc\n"},
		{"over\rwritten", `over\x0dwritten`},
		{"  two  spaces\n\n\x1b]0;title\a", "  two  spaces\n\n" + `\x1b]0;title\x07`},
	} {
		if got := cleanBlock(tt.in); got != tt.want {
			t.Errorf("cleanBlock(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func FuzzClean(f *testing.F) {
	f.Add("a\x1b[31m\u202e\xff\r\n\u2028")
	f.Fuzz(func(t *testing.T, s string) {
		line, block := cleanLine(s), cleanBlock(s)
		if strings.ContainsFunc(line, isHarmful) {
			t.Errorf("cleanLine(%q) = %q has a control character", s, line)
		}
		if strings.ContainsFunc(strings.NewReplacer("\n", "", "\t", "").Replace(block), isHarmful) {
			t.Errorf("cleanBlock(%q) = %q has a control character", s, block)
		}
		if !utf8.ValidString(line) || !utf8.ValidString(block) {
			t.Errorf("cleaning %q left bytes that are not UTF-8", s)
		}
		if again := cleanLine(line); again != line {
			t.Errorf("cleanLine is not stable on %q: %q, then %q", s, line, again)
		}
	})
}
