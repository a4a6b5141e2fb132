package planmd

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// placeholderRows are texts that hold a place for words to come (PD-5). They count only when
// nothing else is said: "N/A" is one, "N/A: only documents change" is not.
var placeholderRows = []row[string]{
	{"placeholder", "en", "tbd|tba|tbc|todo|to do|n/a|fixme|xxx|placeholder|lorem ipsum"},
	{"placeholder", "en", "to be defined|to be determined|to be decided|to be done|to be written|to be filled|to be filled in|to be completed|to be added|to be announced"},
	{"placeholder", "en", "fill in|fill me in|fill in during execution|fill in later|fill this in|filled in during execution|to be filled in during execution|to be filled during execution|to be completed during execution|fill in on completion|fill in at completion|fill in when done|coming soon"},
	{"placeholder", "pt", "a definir|por definir|a ser definido|a ser definida|a preencher|por preencher|preencher|a ser preenchido|preencher durante a execução|a preencher durante a execução|pendente de definição|a completar|não se aplica|n/d|a determinar"},
	{"placeholder", "es", "a definir|por definir|pendiente de definir|por rellenar|rellenar|a rellenar|por completar|completar|a completar|rellenar durante la ejecución|completar durante la ejecución|por determinar|no aplica|n/d"},
	{"placeholder", "th", "รอกำหนด|ยังไม่กำหนด|ยังไม่ได้กำหนด|จะกำหนดภายหลัง|กำหนดภายหลัง|รอเติม|รอกรอก|กรอกระหว่างดำเนินการ|เติมระหว่างดำเนินการ|ไม่เกี่ยวข้อง"},
	{"placeholder", "zh", "待定|未定|待补充|待補充|待填写|待填寫|待确定|待確定|待完善|待办|待辦|执行时填写|執行時填寫|执行期间填写|執行期間填寫|不适用|不適用|稍后填写|稍後填寫"},
}

// placeholder reports whether a text has no words of its own: white space of any kind, rules and bullets,
// "TBD", "N/A" alone, "...", "{...}", "TODO" (PD-5), line by line. Comments are removed by the caller. The first
// line with words ends the search.
func placeholder(text string) bool {
	for line := range strings.Lines(text) {
		if !blankLine(line) {
			return false
		}
	}
	return true
}

// Wordless reports whether a value of one line says nothing: white space, punctuation, or a placeholder alone (PD-5). Text in
// braces, which in Markdown holds a place, is data here, {"passed": 15}; a pictograph is a word.
func Wordless(value string) bool {
	value = strings.TrimSpace(value)
	says := func(r rune) bool { return wordRune(r) || unicode.Is(unicode.So, r) }
	const longest = 160 // bytes; no placeholder has as many, and records by the thousand are asked (C167)
	return !strings.ContainsFunc(value, says) || len(value) <= longest && held(value)
}

func blankLine(line string) bool {
	line = strings.TrimSpace(line)
	// An opening fence with its info string ("```sh") is no word; a code span on one line may be.
	if fence := strings.TrimLeft(line, "`~"); len(line)-len(fence) >= 3 && !strings.Contains(fence, "`") {
		return true
	}
	line = dropBraces(unbox(line))
	if !strings.ContainsFunc(line, wordRune) {
		return true
	}
	if len(line) > valueLimit {
		return false
	}
	if held(line) {
		return true
	}
	for part := range strings.FieldsFuncSeq(line, func(r rune) bool { return strings.ContainsRune("|,;.，；。、", r) }) {
		if strings.ContainsFunc(part, wordRune) && !held(part) {
			return false
		}
	}
	return true
}

// held reports whether a phrase, brackets and quotes aside, is one of the placeholders.
func held(text string) bool {
	return placeholders.exact(strings.Trim(text, " \t*_`~()[]<>\"'“”‘’（）【】-+:：.…。")) != ""
}

// unbox drops a list marker and a checkbox, so that "- [x] TBD" is seen as "TBD".
func unbox(line string) string {
	line = strings.TrimLeft(line, "-*+> \t")
	if len(line) >= 3 && line[0] == '[' && line[2] == ']' {
		line = line[3:]
	}
	return line
}

// dropBraces removes "{...}" groups, nested ones too. Without a closing brace the rest stays.
func dropBraces(line string) string {
	if !strings.Contains(line, "{") {
		return line
	}
	var b strings.Builder
	depth, from := 0, 0
	for i := range len(line) {
		switch line[i] {
		case '{':
			if depth == 0 {
				b.WriteString(line[from:i])
				from = i
			}
			depth++
		case '}':
			if depth == 1 {
				from = i + utf8.RuneLen('}')
			}
			depth = max(0, depth-1)
		}
	}
	b.WriteString(line[from:])
	return b.String()
}
