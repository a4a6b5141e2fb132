package planmd

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// The words by which a security review tells what is critical, settled, or absent, in the languages of PD-11. Each is
// matched as a whole word, scripts without spaces anywhere.
const (
	criticalWords  = "critical|crítico|crítica|críticos|críticas|critico|critica|criticos|criticas|วิกฤต|ร้ายแรง|严重|严重的|危急|关键|致命"
	findingWords   = "finding|findings|issue|issues|vulnerability|vulnerabilities|severity|risk|risks|unresolved|open|outstanding|remaining|hallazgo|hallazgos|achado|achados|problema|problemas|vulnerabilidad|vulnerabilidades|vulnerabilidade|abierto|abiertos|aberto|abertos|发现|问题|漏洞|ข้อค้นพบ|ปัญหา"
	severityWords  = "severity|risk level|risk|level|rating|severidad|severidade|gravedad|gravidade|nivel|nível|nivel de riesgo|nível de risco|ความรุนแรง|严重性|严重程度|级别|风险级别"
	settledWords   = "resolved|fixed|mitigated|closed|remediated|patched|resuelto|resuelta|corregido|corregida|mitigado|mitigada|cerrado|cerrada|resolvido|resolvida|corrigido|corrigida|fechado|fechada|แก้ไขแล้ว|ปิดแล้ว|已修复|已解决|已关闭|已缓解"
	acceptedWords  = "accepted by|accepted in writing by|risk accepted by|aceptado por|aceptada por|aceito por|aceita por|aceite por|ยอมรับโดย|接受人|已由"
	unsettledWords = "not|never|no|yet|to be|isn't|wasn't|cannot|can't|will be|must be|should be|needs|pending|partly|partially|ainda|não|aún|todavía|ยังไม่|未|没有"
	nothingWords   = "none|nothing|nil|zero|ninguno|ninguna|nenhum|nenhuma|nada|ไม่มี|ไม่พบ|无|没有|未发现"
)

type criticalKind int

const (
	notCritical     criticalKind = iota
	criticalGroup                // "Critical", "Critical findings": what follows are findings
	criticalFinding              // "Critical: SQL injection", "[Critical] SQL injection"
)

// criticalHead reads a heading or item: whether it announces critical findings or is one, and the text behind
// the word. "Critical path reviewed" is neither.
func criticalHead(text string) (criticalKind, string) {
	text = strings.TrimLeftFunc(dropNumbering(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '[' && r != '(' })
	// "[Critical] x" is the form of most scanners.
	bracket := strings.IndexAny(text, "[(") == 0
	text = strings.TrimLeft(text, "[(")
	word, rest := cutWord(text)
	if !oneOf(word, criticalWords) {
		return notCritical, ""
	}
	if inner, after := strings.CutPrefix(strings.TrimSpace(rest), "]"); after || bracket && strings.HasPrefix(rest, ")") {
		return criticalFinding, strings.TrimLeft(strings.TrimPrefix(inner, ")"), " :\u2014\u2013-")
	}
	for {
		trimmed := strings.TrimLeft(rest, " ")
		next, after := cutWord(trimmed)
		if next == "" || !oneOf(next, findingWords) {
			rest = trimmed
			break
		}
		rest = after
	}
	if rest == "" || strings.HasPrefix(rest, "(") {
		return criticalGroup, strings.Trim(rest, "()")
	}
	after := strings.TrimLeft(rest, ":\u2014\u2013-\uff1a ")
	switch {
	// Only a colon or dash behind the word makes it a finding.
	case after == rest:
		return notCritical, "" // prose: "Critical path reviewed"
	case after == "" || nothing(after):
		return criticalGroup, after
	}
	return criticalFinding, after
}

// openCritical reports whether a sentence says that a critical finding is open: "One critical vulnerability is
// unresolved". Only this plain form counts; what denies, asks or supposes does not.
func openCritical(text string) bool {
	if len(text) > 4*maxLabel || !strings.Contains(text, "ritical") {
		return false
	}
	return openSentence().MatchString(text)
}

var openSentence = sync.OnceValue(func() *regexp.Regexp {
	const (
		some    = `(?i)^(?:one|the|this|a|two|three|[1-9][0-9]*|there (?:is|are) (?:one|a|an|two|three|[1-9][0-9]*)) (?:new |known |open |unresolved )?critical `
		finding = `(?:findings?|issues?|problems?|vulnerabilit(?:y|ies))`
		open    = `(?:is|are|remains?|stays?) (?:still |yet |currently )?(?:open|unresolved|unfixed|outstanding|not (?:yet )?(?:fixed|resolved|mitigated))`
	)
	return regexp.MustCompile(some + finding + `[^.;?]{0,80} ` + open + `\b|(?i)^critical ` + finding + ` (?:remains?|` + open + `)\b`)
})

// isCriticalLabel reports whether a label announces critical findings: "Critical", "Open critical findings".
func isCriticalLabel(text string) bool {
	critical := false
	for text != "" {
		var word string
		text = strings.TrimLeftFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) })
		word, text = cutWord(text)
		switch {
		case word == "":
			return critical && text == ""
		case oneOf(word, criticalWords):
			critical = true
		case !oneOf(word, findingWords) && !oneOf(word, "new|of|the|de|known"):
			return false
		}
	}
	return critical
}

// isCriticalWord reports whether a cell or value is the severity and no more, emoji and brackets aside.
func isCriticalWord(text string) bool {
	trimmed := strings.TrimFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) })
	return oneOf(trimmed, criticalWords)
}

func isSeverityWord(label string) bool { return oneOf(label, severityWords) }

// settled reports whether a text says that a finding is resolved, or who accepted it. "Not fixed", "unfixed"
// and "to be fixed" do not.
func settled(text string) bool {
	lower := strings.ToLower(text)
	for at := range matches(lower, settledWords) {
		if !takenBack(lower[:at]) {
			return true
		}
	}
	// Acceptance names who accepted: the word alone, as in "accepted risk", settles nothing (PD-7).
	for at := range matches(lower, acceptedWords) {
		if !takenBack(lower[:at]) {
			return true
		}
	}
	return false
}

// takenBack reports whether one of the last few words before a claim takes it back.
func takenBack(before string) bool {
	// A denial does not reach over the end of its sentence or cell.
	if cut := strings.LastIndexAny(before, ".;\n|"); cut >= 0 {
		before = before[cut+1:]
	}
	words := strings.Fields(before)
	tail := strings.Join(words[max(0, len(words)-3):], " ")
	for range matches(tail, unsettledWords) {
		return true
	}
	return false
}

// nothing reports whether a text says that there is no such finding: "None.", "0", "n/a", "No critical findings".
// "No rate limit on login" is a finding.
func nothing(text string) bool {
	text = strings.ToLower(strings.TrimFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) }))
	if text == "" {
		return true
	}
	// "0 open, 2 fixed" says that nothing is left as well as "none" does.
	word, rest := cutWord(text)
	if oneOf(word, nothingWords) || strings.Trim(word, "0") == "" || text == "n/a" || text == "na" || text == "no" {
		return true
	}
	for stem := range strings.SplitSeq("ไม่มี|ไม่พบ|无|没有|未发现", "|") {
		if strings.HasPrefix(text, stem) {
			return true
		}
	}
	if word != "no" && word != "not" && word != "sin" && word != "sem" {
		return false
	}
	next, _ := cutWord(strings.TrimLeft(rest, " "))
	return oneOf(next, findingWords) || oneOf(next, criticalWords) || oneOf(next, "such|known|applicable|found|new")
}

// countAbove reports whether a cell is a number above zero.
func countAbove(cell string) bool {
	n, digits := scanNumber(strings.TrimSpace(cell))
	return digits > 0 && digits == len(strings.TrimSpace(cell)) && n > 0
}

func hasGraphic(s string) bool { return strings.TrimFunc(s, isInvisible) != "" }

// cutWord splits off the letters, marks and digits at the start of a text.
func cutWord(s string) (word, rest string) {
	for i, r := range s {
		if !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) {
			return s[:i], s[i:]
		}
	}
	return s, ""
}

// oneOf reports whether a word is in a list that is separated by bars; case doesn't matter.
func oneOf(word, list string) bool {
	if word == "" {
		return false
	}
	for w := range strings.SplitSeq(list, "|") {
		if strings.EqualFold(w, word) {
			return true
		}
	}
	return false
}

// matches yields the offsets where a word of a list stands in a lower-case text as a word of its own.
func matches(text, list string) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for w := range strings.SplitSeq(list, "|") {
			for i := 0; ; {
				n := strings.Index(text[i:], w)
				if n < 0 {
					break
				}
				at := i + n
				i = at + len(w)
				if w[0] < utf8.RuneSelf && (inWord(text, at) || inWord(text, i)) {
					continue
				}
				if !yield(at) {
					return
				}
			}
		}
	}
}

// inWord reports whether an offset lies between two word characters.
func inWord(s string, at int) bool {
	if at == 0 || at == len(s) {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(s[:at])
	after, _ := utf8.DecodeRuneInString(s[at:])
	return isJoined(before) && isJoined(after)
}

func isJoined(r rune) bool { return isLetterOrDigit(r) || unicode.IsMark(r) || r == '_' }
