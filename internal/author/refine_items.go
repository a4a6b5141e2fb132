package author

import (
	"strings"
)

// item is one item of a list as it stands in a record: what it says, and the lines that say it.
type item struct {
	text string // without marker, box and number
	raw  string // its own lines with "\n", without the empty lines behind it
	// listed says that a marker begins it; a paragraph beside a list has none.
	listed bool
}

// itemsOf reads the items of a section's body as items does, at whatever indent the list stands, and keeps their lines.
func itemsOf(body string) []item {
	lines := strings.Split(strings.ReplaceAll(body, "\r\n", "\n"), "\n")
	base := listIndent(lines)
	var list []item
	var f fence
	fresh := true
	for _, line := range lines {
		inside := f.inside(line)
		own := line[min(base, indentOf(line)):]
		_, marked := unmark(own)
		blank := strings.TrimSpace(line) == ""
		begins := !inside && (marked || fresh && !blank && indentOf(own) == 0) || len(list) == 0 && !blank
		switch {
		case begins:
			list, fresh = append(list, item{raw: line, listed: marked}), false
		case len(list) > 0:
			list[len(list)-1].raw += "\n" + line
			fresh = blank && !inside
		}
	}
	for i := range list {
		list[i].raw = strings.TrimRight(list[i].raw, " \t\n")
		list[i].text = unlisted(list[i].raw, base)
	}
	return list
}

// unlisted takes marker, box, number and indent off an item.
func unlisted(raw string, base int) string {
	first, rest, more := strings.Cut(raw, "\n")
	first, _ = unmark(first[min(base, indentOf(first)):])
	if more {
		first = undent(first + "\n" + rest)
	}
	return strings.TrimSpace(first)
}

// listIndent is the indent of the outermost list of a text.
func listIndent(lines []string) int {
	least := -1
	var f fence
	for _, line := range lines {
		inside := f.inside(line)
		if _, marked := unmark(strings.TrimLeft(line, " \t")); marked && !inside {
			if n := indentOf(line); least < 0 || n < least {
				least = n
			}
		}
	}
	return max(least, 0)
}

func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// wordsKey is what two items are compared by: verbatim up to white space, whatever is ticked inside them.
func wordsKey(text string) string {
	return oneLine(strings.NewReplacer("[x]", "[ ]", "[X]", "[ ]").Replace(text))
}

// criteria are the items of a section that state something: those of its lists; without a list every paragraph is one.
func criteria(body string) []item {
	all := itemsOf(body)
	var listed []item
	for _, it := range all {
		if it.listed {
			listed = append(listed, it)
		}
	}
	if len(listed) > 0 {
		return listed
	}
	return all
}

// textsOf are the texts of items.
func textsOf(items []item) []string {
	var texts []string
	for _, it := range items {
		texts = append(texts, it.text)
	}
	return texts
}

// rewording is what became of one text of a list: New is "" when nothing stands for it.
type rewording struct{ Old, New string }

// compareTexts tells what a new list changes of an old one. What stands in both, in any order, is unchanged; of the rest, what
// stands between the same unchanged neighbours is the old text reworded; an old one that is left is dropped, a new one is added.
func compareTexts(old, new []string) (changed []rewording, added []string) {
	left := counts(old)
	fresh := map[string][]string{} // new texts by the unchanged one before them
	before := ""
	for _, text := range new {
		key := wordsKey(text)
		if left[key] > 0 {
			left[key]--
			before = key
			continue
		}
		fresh[before] = append(fresh[before], text)
	}
	kept := counts(old)
	for key, n := range left { // so many of each are gone
		kept[key] -= n
	}
	before = ""
	for _, text := range old {
		key := wordsKey(text)
		if kept[key] > 0 {
			kept[key]--
			before = key
			continue
		}
		r := rewording{Old: text}
		if list := fresh[before]; len(list) > 0 {
			r.New, fresh[before] = list[0], list[1:]
		}
		changed = append(changed, r)
	}
	// What is left is new; it is told in the order of the new list.
	rest := map[string]int{}
	for _, list := range fresh {
		for _, text := range list {
			rest[text]++
		}
	}
	for _, text := range new {
		if rest[text] > 0 {
			rest[text]--
			added = append(added, text)
		}
	}
	return changed, added
}

// counts counts texts by what they are compared by.
func counts(texts []string) map[string]int {
	n := map[string]int{}
	for _, text := range texts {
		n[wordsKey(text)]++
	}
	return n
}
