package work

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// This file: whether an answer says yes or no (UN-6).

// Words of approval and of refusal, in the languages that plans are read in (PD-11). One with a star begins words; one of a script without
// spaces stands anywhere.
var (
	approvals = []string{"yes", "yep", "ok", "okay", "lgtm", "approv*", "accept*", "agree*", "confirm*", "sign*", "grant*", "allowed", "go ahead", "fine", "it may", "you may", "they may",
		"sim", "aprov*", "aceit*", "autoriz*", "pode", "de acordo", "sí", "si", "aprob*", "aprueb*", "acept*", "puede", "de acuerdo",
		"ใช่", "อนุมัติ", "ตกลง", "ได้", "是", "可以", "同意", "批准", "好"}
	refusals = []string{"no", "not", "nope", "never", "don't", "cannot", "can't", "won't", "isn't", "disapprov*", "disagree*", "reject*", "refuse*", "denied", "deny", "declin*", "wait", "hold", "stop", "later", "before",
		"não", "nao", "nunca", "rejeit*", "rechaz*", "todavía", "ainda", "ไม่", "不", "否", "拒", "未", "没", "沒"}
)

// reply reads a person's answer: yes when a word of approval stands in it and none of refusal before that; no when a word of refusal comes first,
// or the answer asks back. Both are false for "the new one". It errs towards no: the person can say it again.
func reply(text string) (yes, no bool) {
	text = letters(strings.ReplaceAll(text, "\u2019", "'"))
	approved, refused := firstWord(text, approvals), firstWord(text, refusals)
	no = refused >= 0 && (approved < 0 || refused < approved) || strings.HasSuffix(strings.TrimSpace(text), "?")
	return approved >= 0 && !no, no
}

// firstWord is where the first of the words begins; -1 for none.
func firstWord(text string, words []string) int {
	first := -1
	for _, word := range words {
		word, stem := strings.CutSuffix(word, "*")
		spaced := word[0] < utf8.RuneSelf || unicode.In(firstRune(word), unicode.Latin)
		for at := 0; first < 0 || at < first; at++ {
			next := strings.Index(text[at:], word)
			if next < 0 {
				break
			}
			at += next
			before, _ := utf8.DecodeLastRuneInString(text[:at])
			if !spaced || !unicode.IsLetter(before) && (stem || !unicode.IsLetter(firstRune(text[at+len(word):]))) {
				if first < 0 || at < first {
					first = at
				}
				break
			}
		}
	}
	return first
}

func firstRune(text string) rune {
	r, _ := utf8.DecodeRuneInString(text)
	return r
}
