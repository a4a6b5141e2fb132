package author

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Formats and degrees of rigor (PS-6).
const (
	lite  = "lite"
	full  = "full"
	micro = "micro"
)

// What a compact record holds, and up to which size of work Lite is recommended. The numbers are a judgement: a record that fills
// more than two screens is not compact, and a command over several lines is a script.
const (
	compactRecord  = 6000 // bytes of a rendered record
	compactGate    = 200  // characters of a gate command
	liteTasks      = 3    // tasks beside the Final Review
	liteRecord     = 3500 // bytes of the longest record
	detailedRecord = 2000
)

// Choice is the format that was chosen, and the judgement behind it, for people to audit (LF-5).
type Choice struct {
	Format string
	Rigor  string
	Selection
	// Overruled says that Lite was asked for and does not fit; the reason is in Rationale.
	Overruled bool
}

// signals are what is observed of an outline.
type signals struct {
	tasks     int // beside the Final Review
	depends   int // declared dependencies
	groups    int
	longest   int      // bytes of the longest record
	longestAt int      // its task
	shared    []int    // tasks whose risk is shared/core
	unknown   []int    // tasks of unknown risk
	tooBig    []string // what does not fit a compact record
}

// observe gathers the signals of the tasks as they will be recorded; reviewAdded says that the last one is our own Final Review.
func observe(tasks []Task, groups []Group, reviewAdded bool) signals {
	s := signals{tasks: len(tasks) - 1}
	names := map[string]bool{}
	for _, g := range groups {
		names[g.Name] = true
	}
	s.groups = len(names)
	for i := range tasks {
		t := &tasks[i]
		if reviewAdded && i == len(tasks)-1 {
			break // our own words say nothing of the work
		}
		size := len(record(t, i+1, nil, lite))
		if size > s.longest {
			s.longest, s.longestAt = size, i+1
		}
		s.depends += len(t.DependsOn)
		switch riskOf(t.Surface.Risk) {
		case "shared/core":
			s.shared = append(s.shared, i+1)
		case "unknown":
			s.unknown = append(s.unknown, i+1)
		}
		s.fit(i+1, t, size)
	}
	return s
}

// fit notes the requirements and gates that do not fit a compact record (LF-5).
func (s *signals) fit(n int, t *Task, size int) {
	if size > compactRecord {
		s.tooBig = append(s.tooBig, fmt.Sprintf("the record of task %d takes %d bytes, more than %d", n, size, compactRecord))
	}
	for _, g := range t.Gates {
		if strings.Contains(g, "\n") || utf8.RuneCountInString(g) > compactGate {
			s.tooBig = append(s.tooBig, fmt.Sprintf("a gate of task %d is a script", n))
			break
		}
	}
	if slices.ContainsFunc([]string{t.Context, t.Goal, t.Validation, t.Rollback, t.Delta, strings.Join(t.Instructions, "\n\n")}, hasHeading) {
		s.tooBig = append(s.tooBig, fmt.Sprintf("the record of task %d has headings of its own", n))
	}
}

// riskOf is the class of a risk, in the words of PD-6.
func riskOf(risk string) string {
	low := strings.ToLower(strings.TrimSpace(risk))
	for _, c := range []struct{ begins, class string }{{"isolated", "isolated"}, {"seam", "seam"}, {"shared", "shared/core"}, {"core", "shared/core"}, {"unknown", "unknown"}} {
		if strings.HasPrefix(low, c.begins) {
			return c.class
		}
	}
	return "not applicable"
}

// choose decides the format: explicit full wins; explicit lite is kept unless something does not fit; without a wish the
// signals decide (LF-5). Rigor, when it is not given, is micro for one isolated task, else standard (LF-6).
func choose(o *Outline, opt *Options, s signals) Choice {
	c := Choice{Rigor: opt.Rigor, Selection: o.Selection}
	if c.Rigor == "" {
		c.Rigor = "standard"
		if s.tasks == 1 && s.groups == 0 && len(s.shared) == 0 && len(s.unknown) == 0 && riskOf(o.Tasks[0].Surface.Risk) != "seam" {
			c.Rigor = micro
		}
	}
	why := ""
	c.Format, why = format(opt.Format, s, &c.Overruled)
	fill(&c.Scope, fmt.Sprintf("%s before the Final Review, %s", counted(s.tasks, "task"), reach(s)))
	fill(&c.Dependencies, dependencies(s))
	fill(&c.Detail, fmt.Sprintf("the longest record, of task %d, takes %d bytes: %s", s.longestAt, s.longest, detail(s.longest)))
	if c.Uncertainties = oneLine(c.Uncertainties); c.Uncertainties != "" && len(s.unknown) > 0 {
		c.Uncertainties += "; " + uncertainties(s) // observed, whatever else is known
	}
	fill(&c.Uncertainties, uncertainties(s))
	// The author's reason stands beside ours: what was observed is recorded whatever was hoped.
	if c.Rationale != "" {
		why = strings.TrimRight(oneLine(c.Rationale), ".") + "; " + why
	}
	c.Rationale = why
	return c
}

// format applies LF-5: an explicit wish first, then what speaks against Lite. Every reason is told, not only the first, because people
// change outlines by what they read here.
func format(wish string, s signals, overruled *bool) (chosen, why string) {
	switch wish {
	case full:
		return full, "Full was asked for"
	case lite:
		if len(s.tooBig) > 0 {
			*overruled = true
			return full, "Lite was asked for, but " + strings.Join(s.tooBig, "; ") + ": such a record needs a file of its own"
		}
		return lite, "Lite was asked for, and every record is compact"
	}
	var against []string
	if s.tasks > liteTasks {
		against = append(against, fmt.Sprintf("%d tasks are more than %d", s.tasks, liteTasks))
	}
	if s.groups > 0 {
		against = append(against, "tasks run in parallel groups")
	}
	if len(s.shared) > 0 {
		against = append(against, reach(s))
	}
	if s.longest > liteRecord {
		against = append(against, fmt.Sprintf("task %d needs long instructions", s.longestAt))
	}
	against = append(against, s.tooBig...)
	if len(against) > 0 {
		return full, "recommended, because " + strings.Join(against, "; ")
	}
	return lite, "recommended: bounded work with compact records"
}

// fill puts the observed words where the author said nothing.
func fill(to *string, text string) {
	if *to = oneLine(*to); *to == "" {
		*to = text
	}
}

// reach is how far the work reaches beyond its own place.
func reach(s signals) string {
	switch len(s.shared) {
	case 0:
		return "no shared or core surface"
	case 1:
		return tasksNamed(s.shared) + " is shared/core"
	}
	return tasksNamed(s.shared) + " are shared/core"
}

// dependencies is how the tasks wait for each other.
func dependencies(s signals) string {
	switch {
	case s.groups > 0:
		return fmt.Sprintf("%s, %s", counted(s.groups, "parallel group"), declared(s.depends))
	case s.depends > 0:
		return declared(s.depends) + "; the other tasks follow one another"
	}
	return "each task follows the one before"
}

// declared words a number of dependencies.
func declared(n int) string {
	if n == 1 {
		return "1 declared dependency"
	}
	return fmt.Sprintf("%d declared dependencies", n)
}

// detail words how much an agent has to be told per task.
func detail(longest int) string {
	if longest > detailedRecord {
		return "detailed instructions"
	}
	return "short instructions are enough"
}

// uncertainties are the risks that the outline itself calls unknown.
func uncertainties(s signals) string {
	if len(s.unknown) > 0 {
		return "the risk of " + tasksNamed(s.unknown) + " is unknown"
	}
	return "none stated in the outline"
}

// counted words a number of things.
func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// tasksNamed lists tasks: "tasks 2, 4".
func tasksNamed(ids []int) string {
	if len(ids) == 1 {
		return fmt.Sprintf("task %d", ids[0])
	}
	return "tasks " + numberList(ids)
}
