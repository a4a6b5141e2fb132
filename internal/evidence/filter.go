package evidence

import (
	"path"
	"slices"
	"strings"
)

// Filtered reports whether a command's exit code belongs to another command than the check (C77): a pipe into a filter
// without pipefail or PIPESTATUS, a trailing "; true", "|| true", "; echo …", a background "&". It reads the command as a
// shell would as far as quotes, groups and operators go; it runs nothing (GU-12).
func Filtered(command string) (Match, bool) {
	text, ok := filtered(command, 0)
	if !ok {
		return Match{}, false
	}
	return Match{Text: text}, true
}

// maxNesting bounds how deep a command inside a command is looked into.
const maxNesting = 4

func filtered(command string, depth int) (string, bool) {
	list := split(command)
	if len(list) == 0 || depth > maxNesting {
		return "", false
	}
	last := list[len(list)-1]
	if replaced(list, depth) {
		return strings.TrimSpace(command[last.at:]), true
	}
	// What follows "&&" and only reports passes a failure on; the one before decides.
	for len(list) > 1 && last.before == "&&" && swallows(last.text, depth) {
		list = list[:len(list)-1]
		last = list[len(list)-1]
	}
	if inner, ok := within(last.text); ok {
		return filtered(inner, depth+1)
	}
	return piped(command, list)
}

// replaced reports whether the list's last command ends it with a status that says nothing about the check.
func replaced(list []element, depth int) bool {
	last := list[len(list)-1]
	switch {
	case last.after == "&":
		return true
	case last.before == "&":
		return slices.Equal(words(last.text), []string{"wait"})
	case last.before == "||" && swallows(last.text, depth):
		return true
	case last.before == ";" || last.before == "\n":
		return swallows(last.text, depth) || shows(last.text) && checked(list[:len(list)-1])
	}
	return false
}

// piped looks at the pipeline that ends the list.
func piped(command string, list []element) (string, bool) {
	last := list[len(list)-1]
	if last.before != "|" && last.before != "|&" || keepsStatus(command) || !isFilter(last.text) {
		return "", false
	}
	return strings.TrimSpace(command[last.at:last.end]), true
}

// keepsStatus reports whether a command looks at the status of a pipe's earlier parts.
func keepsStatus(command string) bool {
	return strings.Contains(command, "PIPESTATUS") || strings.Contains(command, "pipestatus") ||
		strings.Contains(command, "pipefail") && !strings.Contains(command, "+o pipefail")
}

// element is one command of a list, and the operators before and after it: "|", "|&", "||", "&&", ";", "&", "\n" or "".
// It starts at the operator before it.
type element struct {
	text, before, after string
	at, end             int
}

// split cuts a command line at the operators that stand outside quotes, groups and comments.
func split(command string) []element {
	var list []element
	before, at, from := "", 0, 0
	for s := (shell{text: command}); ; {
		op, end := s.next()
		// An empty line continues what stands before it ("a |\n tail").
		if text := command[from:end]; strings.TrimSpace(text) != "" {
			list = append(list, element{text, before, op, at, end})
			before, at = op, end
		}
		if op == "" {
			return list
		}
		from = s.pos
	}
}

// shell walks over a command line.
type shell struct {
	text  string
	pos   int
	depth int // of groups: ( ), $( ), { }
}

// next returns the next operator and where it starts, and stands behind it; "" at the end.
func (s *shell) next() (string, int) {
	for s.pos < len(s.text) {
		at, c := s.pos, s.text[s.pos]
		s.pos++
		switch c {
		case '\\':
			s.pos = min(s.pos+1, len(s.text))
		case '\'', '"', '`':
			s.quote(c)
		case '(':
			s.depth++
		case ')':
			s.depth = max(0, s.depth-1)
		case '{', '}':
			s.brace(c, at)
		case '#':
			s.comment(at)
		case '|', '&', ';', '\n':
			if op := s.operator(c, at); op != "" && s.depth == 0 {
				return op, at
			}
		}
	}
	return "", len(s.text)
}

// quote skips to the closing quote. Without one the rest is quoted.
func (s *shell) quote(q byte) {
	for s.pos < len(s.text) {
		c := s.text[s.pos]
		s.pos++
		if c == '\\' && q != '\'' {
			s.pos = min(s.pos+1, len(s.text))
		} else if c == q {
			return
		}
	}
}

// brace counts a group's brace: one that is a word of its own, not "${x}" or "{a,b}".
func (s *shell) brace(c byte, at int) {
	alone := (at == 0 || strings.IndexByte(" \t\n;|&(", s.text[at-1]) >= 0) &&
		(s.pos >= len(s.text) || strings.IndexByte(" \t\n;|&)", s.text[s.pos]) >= 0)
	switch {
	case !alone:
	case c == '{':
		s.depth++
	default:
		s.depth = max(0, s.depth-1)
	}
}

func (s *shell) comment(at int) {
	if at > 0 && strings.IndexByte(" \t\n;", s.text[at-1]) < 0 {
		return
	}
	if end := strings.IndexByte(s.text[at:], '\n'); end >= 0 {
		s.pos = at + end
		return
	}
	s.pos = len(s.text)
}

// operator reads the operator that begins with c; "" for the "&" and "|" of a redirection ("2>&1", "&>", ">|").
func (s *shell) operator(c byte, at int) string {
	redirected := at > 0 && (s.text[at-1] == '>' || s.text[at-1] == '<')
	if redirected && (c == '&' || c == '|') {
		return ""
	}
	rest := s.text[s.pos:]
	switch {
	case c == '&' && strings.HasPrefix(rest, ">"):
		return ""
	case c == '&' && strings.HasPrefix(rest, "&"), c == '|' && strings.HasPrefix(rest, "|"), c == '|' && strings.HasPrefix(rest, "&"), c == ';' && strings.HasPrefix(rest, ";"):
		s.pos++
		return s.text[at:s.pos]
	}
	return string(c)
}

// words returns a command's words without assignments and the commands that only pass on
// ("sudo tail", "env X=1 tail"); the name comes without folder, in lower case.
func words(text string) []string {
	all := strings.Fields(text)
	for len(all) > 0 {
		name := strings.ToLower(path.Base(strings.Trim(all[0], `"'`)))
		assignment := strings.Contains(all[0], "=") && !strings.HasPrefix(all[0], "=")
		if assignment || slices.Contains(passers, name) {
			all = all[1:]
			continue
		}
		all = slices.Clone(all)
		all[0] = strings.TrimSuffix(name, ".exe")
		break
	}
	return all
}

var (
	passers = []string{"sudo", "command", "env", "time", "exec", "nice", "nohup", "builtin", "then", "do", "else"}

	filters = []string{
		"tail", "head", "tee", "grep", "egrep", "fgrep", "rg", "ag", "cat", "bat", "sed", "awk", "gawk", "mawk", "sort", "uniq", "wc", "less", "more", "tr", "cut",
		"column", "ts", "nl", "fold", "rev", "tac", "pr", "fmt", "xxd", "jq", "strings", "sponge", "ansi2txt", "gzip", "findstr", "select-string", "select-object", "out-string", "out-null", "out-file", "tee-object",
	}

	// displays show a result that was made before. grep and awk are left out: they may be the check.
	displays = []string{"tail", "head", "cat", "bat", "less", "more", "wc", "tee", "date", "pwd", "ls", "sleep", "sync", "clear", "rm"}

	setups = []string{"cd", "pushd", "export", "set", "source", ".", "mkdir", "rm", "sleep", "unset", "umask", "ulimit", "trap", "shopt", "local", "alias", "echo", "printf"}
)

func isFilter(text string) bool {
	w := words(text)
	if len(w) == 0 || !slices.Contains(filters, w[0]) {
		return false
	}
	// jq -e turns its answer into the exit code on purpose.
	return w[0] != "jq" || !slices.ContainsFunc(w, func(a string) bool { return a == "-e" || a == "--exit-status" })
}

// swallows reports whether a command ends with success whatever came before.
func swallows(text string, depth int) bool {
	if inner, ok := within(text); ok && depth < maxNesting {
		list := split(inner)
		return len(list) > 0 && swallows(list[len(list)-1].text, depth+1)
	}
	w := words(text)
	if len(w) == 0 {
		return false
	}
	switch w[0] {
	case "true", ":", "echo", "printf", "write-host", "write-output":
		return true
	case "exit", "return":
		return len(w) > 1 && w[1] == "0"
	}
	return false
}

func shows(text string) bool {
	w := words(text)
	return len(w) > 0 && slices.Contains(displays, w[0])
}

// checked reports whether a command before the last one does more than prepare.
func checked(list []element) bool {
	return slices.ContainsFunc(list, func(e element) bool {
		w := words(e.text)
		return len(w) > 0 && !slices.Contains(setups, w[0])
	})
}

// within returns what a group or "sh -c '…'" runs.
func within(text string) (string, bool) {
	text = strings.TrimSpace(text)
	for _, pair := range []string{"()", "{}"} {
		if len(text) >= 2 && text[0] == pair[0] && text[len(text)-1] == pair[1] {
			return text[1 : len(text)-1], true
		}
	}
	w := words(text)
	if len(w) < 3 || !slices.Contains([]string{"sh", "bash", "zsh", "dash", "ksh"}, w[0]) {
		return "", false
	}
	cut := strings.IndexAny(text, `'"`)
	if cut < 0 || !strings.HasSuffix(strings.TrimSpace(text[:cut]), "c") || strings.Contains(text[:cut], "pipefail") {
		return "", false
	}
	s := shell{text: text, pos: cut + 1}
	s.quote(text[cut])
	return strings.TrimSuffix(text[cut+1:s.pos], text[cut:cut+1]), true
}
