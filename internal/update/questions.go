package update

import (
	"strings"
)

// Question is an entry of analysis_results/QUESTIONS.md: a heading and what stands below it, up to the next one (PD-12, UN-7).
type Question struct {
	Title string // of the heading, without its marks
	Text  string // what stands below, trimmed; answers are not in it
	// Answers are its lines that are labelled as an answer, in order, without bullet and emphasis. An entry without any is open.
	Answers []QuestionAnswer
	// Relayed are answers that an agent passed on. They add no authority: an entry with nothing else is open (UN-6).
	Relayed []QuestionAnswer
	level   int // of the heading
	end     int // the offset of what follows the entry
}

// End is the offset in the file behind the entry: where the next heading begins, or the file ends. What is told of the question later is
// put before it.
func (q *Question) End() int { return q.end }

// QuestionAnswer is one answer: "Answered by Ana on 2026-09-01: the second one", or the same label with the words quoted below it.
type QuestionAnswer struct {
	Label, Text string
	Date        string // YYYY-MM-DD, that of the label, else the last one in the text; "" for none
}

// ReadQuestions reads the entries of a QUESTIONS.md. The only heading of level 1, which is the title of the file, is none, and neither
// is a heading without words below it. Lines in fenced code are text.
func ReadQuestions(text string) []Question {
	r := questionReader{}
	at := len(text) - len(strings.TrimPrefix(text, "\ufeff"))
	for line := range strings.Lines(text[at:]) {
		r.line(strings.TrimRight(line, "\r\n"), at)
		at += len(line)
	}
	r.close(at)
	if r.titles == 1 && len(r.list) > 0 && r.list[0].level == 1 {
		return r.list[1:]
	}
	return r.list
}

// questionReader reads line by line.
type questionReader struct {
	list   []Question
	open   *Question
	text   strings.Builder // of the open entry
	quote  strings.Builder // the words of the answer that is being read
	label  string          // of that answer; "" for none
	held   string          // the lines that begin it; text after all when no quotation follows
	quoted bool            // a line of the quotation was read
	fenced bool
	titles int // headings of level 1
}

func (r *questionReader) line(line string, at int) {
	trimmed := strings.TrimSpace(line)
	if r.label != "" && r.quotation(line, trimmed) {
		return
	}
	if strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~") {
		r.fenced = !r.fenced
	}
	if title, level := headingOf(trimmed); level > 0 && !r.fenced {
		r.close(at)
		if level == 1 {
			r.titles++
		}
		r.open = &Question{Title: title, level: level}
		return
	}
	label, value, found := answerLine(trimmed)
	switch {
	case r.open == nil:
	case r.fenced || !found:
		r.text.WriteString(line + "\n")
	case value == "": // a label without words waits for its answer, unless they are quoted below
		r.label, r.held = label, line+"\n"
	default:
		r.answer(QuestionAnswer{Label: label, Text: value, Date: dated(label, value)})
	}
}

// quotation takes a line that belongs to the words quoted below a label.
func (r *questionReader) quotation(line, trimmed string) bool {
	words, isQuote := strings.CutPrefix(strings.TrimLeft(line, " \t"), ">")
	switch {
	case isQuote:
		if r.quoted {
			r.quote.WriteByte('\n')
		}
		r.quoted = true
		r.quote.WriteString(strings.TrimPrefix(words, " "))
		return true
	case trimmed == "" && !r.quoted:
		r.held += line + "\n"
		return len(r.held) < 1<<10 // no quotation stands that far below its label
	}
	r.settle()
	return false
}

// settle ends the answer that is being read; a label that nothing was quoted below is text.
func (r *questionReader) settle() {
	if r.label != "" && r.quoted && strings.TrimSpace(r.quote.String()) != "" {
		r.answer(QuestionAnswer{Label: r.label, Text: r.quote.String(), Date: dated(r.label, r.quote.String())})
	} else {
		r.text.WriteString(r.held)
	}
	r.label, r.held, r.quoted = "", "", false
	r.quote.Reset()
}

func (r *questionReader) answer(a QuestionAnswer) {
	if isRelayed(a.Label) {
		r.open.Relayed = append(r.open.Relayed, a)
		return
	}
	r.open.Answers = append(r.open.Answers, a)
}

// close ends the entry that is open, before an offset.
func (r *questionReader) close(at int) {
	r.settle()
	if q := r.open; q != nil {
		q.end = at
		if q.Text = strings.TrimSpace(r.text.String()); q.Text != "" || len(q.Answers)+len(q.Relayed) > 0 {
			r.list = append(r.list, *q)
		}
	}
	r.open = nil
	r.text.Reset()
}

// headingOf takes a heading from a trimmed line; level 0 for none. Marks at its end are its own only behind a space: "C#" is a word.
func headingOf(line string) (title string, level int) {
	title = strings.TrimLeft(line, "#")
	level = len(line) - len(title)
	if level == 0 || title != "" && title[0] != ' ' && title[0] != '\t' {
		return "", 0
	}
	title = strings.TrimSpace(title)
	if bare := strings.TrimRight(title, "#"); bare == "" || strings.HasSuffix(bare, " ") || strings.HasSuffix(bare, "\t") {
		title = strings.TrimSpace(bare)
	}
	return title, level
}

// answerLine reads a line such as "- **Answer:** keep both, on 2026-09-01", or one that an agent relayed.
func answerLine(line string) (label, value string, found bool) {
	label, value, found = labelled(line)
	if !found || !isAnswer(strings.ToLower(label)) && !isRelayed(label) {
		return "", "", false
	}
	return label, value, true
}

// labelled takes a line apart that begins with a label, whatever bullet and emphasis it has.
func labelled(line string) (label, value string, found bool) {
	label, value, found = strings.Cut(strings.Trim(line, " \t-*+_"), ":")
	if !found {
		label, value, found = strings.Cut(label, "\uff1a")
	}
	return strings.Trim(label, " *_"), strings.TrimSpace(strings.Trim(value, " \t*_")), found
}

// relayedBy begins the label of an answer that an agent passed on. It is no word for an answer, so nobody takes it for one.
const relayedBy = "relayed by "

func isRelayed(label string) bool { return strings.HasPrefix(strings.ToLower(label), relayedBy) }

// dated is the day of an answer: the one that its label names, for the words may speak of other days.
func dated(label, value string) string {
	if day := dateIn(label); day != "" {
		return day
	}
	return dateIn(value)
}
