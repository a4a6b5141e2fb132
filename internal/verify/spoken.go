package verify

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/deepworkplan/dwp/internal/planmd"
)

// clause is a piece of an amendment's field with the tasks that it names.
type clause struct {
	text string
	ids  []int
}

// clauses cuts a field at the ends of sentences and at semicolons. A piece that names no task belongs to the one before:
// "Task 2 preserved; its parser is untouched". With bare, numbers name tasks without the word, as in "1, 3".
func clauses(value string, bare bool, tasks int) []clause {
	var list []clause
	named := 0 // bounds the work: no honest field names every task a hundred times
	cut := func(r rune) bool { return strings.ContainsRune(";\n；。", r) }
	for part := range strings.FieldsFuncSeq(strings.ReplaceAll(value, ". ", ".\n"), cut) {
		ids := taskMentions(part, bare, tasks)
		if len(ids) == 0 && len(list) > 0 {
			list[len(list)-1].text += "; " + part
			continue
		}
		list = append(list, clause{part, ids})
		if named += len(ids); named > 100*tasks {
			break
		}
	}
	return list
}

// explains reports whether the clause has words beside the tasks' names and the verdict.
func (c *clause) explains() bool {
	letters := 0
	for word := range strings.FieldsFuncSeq(strings.ToLower(c.text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }) {
		if slices.Contains(taskWords, word) || slices.Contains(joinWords, word) || word == "is" || word == "are" {
			continue
		}
		for _, verdict := range preserveWords {
			if rest, found := strings.CutPrefix(word, verdict); found {
				word = ""
				if r, _ := utf8.DecodeRuneInString(verdict); r >= 0x0e00 {
					word = rest // no spaces between words
				}
			}
		}
		letters += utf8.RuneCountInString(word)
	}
	return letters >= 3
}

// NamesTask reports whether a text names a task.
func NamesTask(text string, task int) bool {
	return slices.Contains(taskMentions(text, false, task), task)
}

// taskMentions lists the tasks that a text names: "Task 2", "tasks 2, 3 and 5-7", "#4", "T3". Numbers above
// most, dates and versions are none.
func taskMentions(text string, bare bool, most int) []int {
	m := mentioning{text: text, bare: bare, armed: bare, most: most}
	for m.pos < len(m.text) {
		m.step()
	}
	return m.ids
}

// mentioning walks over a text. armed says that a number here names a task.
type mentioning struct {
	text        string
	pos, most   int
	bare, armed bool
	ids         []int
	to          bool // a hyphen stands between the last number and here
}

// step reads one word, number or sign. A sign that doesn't belong into a list of tasks ends it.
func (m *mentioning) step() {
	r, size := utf8.DecodeRuneInString(m.text[m.pos:])
	switch {
	case '0' <= r && r <= '9':
		m.number()
		return
	case unicode.IsLetter(r):
		m.word()
		return
	case r == '#':
		m.armed = true
	case r == '-' || r == '–':
		m.to = m.armed && len(m.ids) > 0
	case strings.ContainsRune(" ,&*_/\t\"'()[]`、，", r):
	default:
		m.armed = m.bare
	}
	m.pos += size
}

// word reads a run of letters: the word for a task arms, one that joins two numbers keeps, every other one disarms. Chinese and
// Thai write the word for a task at the end of a run.
func (m *mentioning) word() {
	start := m.pos
	for m.pos < len(m.text) {
		r, size := utf8.DecodeRuneInString(m.text[m.pos:])
		if !unicode.IsLetter(r) && !unicode.IsMark(r) {
			break
		}
		m.pos += size
	}
	word := strings.ToLower(m.text[start:m.pos])
	switch {
	case slices.Contains(taskWords, word), strings.HasSuffix(word, "任务"), strings.HasSuffix(word, "任務"), strings.HasSuffix(word, "งาน"):
		m.armed, m.to = true, false
	case slices.Contains(joinWords, word):
		m.to = m.armed && len(m.ids) > 0 && slices.Contains([]string{"to", "até", "hasta", "到", "至"}, word)
	default:
		m.armed, m.to = m.bare, false
	}
}

// number reads a number, or a whole date, and takes it for a task, or for the end of a range of them.
func (m *mentioning) number() {
	start := m.pos
	if rest := m.text[start:]; len(rest) >= len(time.DateOnly) {
		if _, err := time.Parse(time.DateOnly, rest[:len(time.DateOnly)]); err == nil {
			m.pos += len(time.DateOnly)
			return
		}
	}
	for m.pos < len(m.text) && '0' <= m.text[m.pos] && m.text[m.pos] <= '9' {
		m.pos++
	}
	n, err := strconv.Atoi(m.text[start:m.pos])
	fraction := m.pos+1 < len(m.text) && m.text[m.pos] == '.' && '0' <= m.text[m.pos+1] && m.text[m.pos+1] <= '9' ||
		start > 1 && m.text[start-1] == '.'
	if !m.armed || err != nil || n < 1 || n > m.most || fraction || len(m.ids) > 2*m.most {
		m.to = false
		return
	}
	first := n
	if last := len(m.ids) - 1; m.to && m.ids[last] < n {
		first = m.ids[last] + 1
	}
	for id := first; id <= n; id++ {
		m.ids = append(m.ids, id)
	}
	m.to = false
}

// Fate is what an amendment says of a dependant.
type Fate int

const (
	FateUnsaid Fate = iota
	FateReopened
	FatePreserved // and why
)

// Spoken tells of which tasks an amendment says that they are reopened, or preserved and why. Where it says both, nothing is
// left to do for sure, and they count as preserved.
func Spoken(a *planmd.Amendment, tasks int) map[int]Fate {
	said := map[int]Fate{}
	for i := range a.Fields {
		kind := a.Fields[i].Kind
		for _, clause := range clauses(a.Fields[i].Value, kind == planmd.FieldAffected, tasks) {
			reopened := kind == planmd.FieldInvalidated || hasWord(clause.text, reopenWords)
			preserved := (kind == planmd.FieldPreserved || hasWord(clause.text, preserveWords)) && clause.explains()
			for _, id := range clause.ids {
				switch {
				case preserved:
					said[id] = FatePreserved
				case reopened && said[id] == FateUnsaid:
					said[id] = FateReopened
				}
			}
		}
	}
	return said
}

// Beginnings of the words for the two fates of a dependant, in the languages of PD-11.
var (
	reopenWords   = []string{"reopen", "reabert", "reabr", "reabier", "เปิดใหม่", "重新打开", "重新開啟", "重开", "重開"}
	preserveWords = []string{"preserv", "kept", "keeps", "stays", "unaffected", "mantid", "manten", "conserv", "คงไว้", "保留", "不变", "不變"}
	taskWords     = []string{"task", "tasks", "tarefa", "tarefas", "tarea", "tareas", "t", "งาน", "任务", "任務"}
	joinWords     = []string{"and", "to", "e", "y", "a", "até", "hasta", "และ", "和", "与", "與", "到", "至"}
)

// hasWord reports whether a text holds one of the beginnings, in any case.
func hasWord(text string, beginnings []string) bool {
	lower := strings.ToLower(text)
	return slices.ContainsFunc(beginnings, func(w string) bool { return strings.Contains(lower, w) })
}
