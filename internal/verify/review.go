package verify

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/deepworkplan/dwp/internal/evidence"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/rule"
)

// ending is the part that a task plays in the mandatory ending of a plan (PD-7, PD-9).
type ending int

const (
	ordinary ending = iota
	finalReview
	securityReview
	skillsDiscovery
	executiveReport
)

// endings names the mandatory tasks by title, in PD-11's languages, and by the slug of the task file.
var endings = []struct {
	part   ending
	slug   string
	titles []string
}{
	{finalReview, "final_review", []string{"final review", "revisao final", "revisión final", "revisão final", "revision final", "การทบทวนขั้นสุดท้าย", "การตรวจสอบขั้นสุดท้าย", "การตรวจทานขั้นสุดท้าย", "การรีวิวขั้นสุดท้าย", "最终评审", "最终审查", "最終審查", "最終評審", "最终审核", "最終審核", "最终检查", "最終檢查", "终审", "終審"}},
	{securityReview, "security_review", []string{"security review", "revisão de segurança", "revisión de seguridad", "การตรวจสอบความปลอดภัย", "安全审查", "安全评审", "安全審查"}},
	{skillsDiscovery, "skills_agents_discovery", []string{"skills & agents discovery", "skills and agents discovery", "descoberta de skills e agents", "descubrimiento de skills y agents"}},
	{executiveReport, "executive_report", []string{"executive report", "relatório executivo", "informe ejecutivo", "รายงานผู้บริหาร", "执行报告", "執行報告"}},
}

// endingOf reads a task's part from its title, with nothing but a qualifier in brackets or after a dash
// behind it. "Final Review & Comprehensive Validation" is an ordinary task.
func endingOf(title string) ending {
	t := strings.ToLower(strings.TrimSpace(title))
	for _, e := range endings {
		for _, name := range e.titles {
			rest, ok := strings.CutPrefix(t, name)
			rest = strings.TrimSpace(rest)
			if ok && (rest == "" || strings.HasPrefix(rest, "(") || strings.HasPrefix(rest, "—") || strings.HasPrefix(rest, "–") || strings.HasPrefix(rest, "- ") || strings.HasPrefix(rest, ":")) {
				return e.part
			}
		}
	}
	return ordinary
}

// partOf is endingOf for a task, its file's name counting where the title says nothing (translated titles).
func partOf(t plan.TaskView) ending {
	if part := endingOf(t.Title); part != ordinary {
		return part
	}
	for _, e := range endings {
		if e.part != finalReview && strings.HasSuffix(t.File, ".task_"+e.slug+".md") {
			return e.part
		}
	}
	return ordinary
}

// orderedTasks are the tasks that make up the plan's order: the lines of the index, or without any all that was found.
func orderedTasks(view plan.Overview) []plan.TaskView {
	var lines []plan.TaskView
	for _, t := range view.Tasks {
		if t.Line != nil {
			lines = append(lines, t)
		}
	}
	if len(lines) > 0 {
		return lines
	}
	return view.Tasks
}

// finalReview is the last task when it is the Final Review, else nil.
func (c *checker) finalReview() *plan.TaskView {
	if n := len(c.order); n > 0 {
		if last := &c.order[n-1]; isFinalReview(*last) {
			return last
		}
	}
	return nil
}

// FinalReview is the number of the last task of a plan when that is the Final Review, else 0 (PD-7).
func FinalReview(view *plan.Overview) int {
	order := orderedTasks(*view)
	if n := len(order); n > 0 && isFinalReview(order[n-1]) {
		return order[n-1].ID
	}
	return 0
}

// isFinalReview is lenient for the last task: its title may go on.
func isFinalReview(t plan.TaskView) bool {
	if endingOf(t.Title) == finalReview || strings.HasSuffix(t.File, ".task_final_review.md") {
		return true
	}
	return strings.HasPrefix(strings.ToLower(strings.TrimSpace(t.Title)), "final review")
}

// checkEnding: a plan ends with the Final Review; older plans with their own ending; never with both (PD-7, PD-9).
func checkEnding(c *checker) {
	tasks := c.order
	last := c.finalReview()
	for i := range tasks[:len(tasks)-1] {
		if endingOf(tasks[i].Title) == finalReview && !c.shape.older {
			c.add("review/last", c.taskPlace(tasks[i]), "a Final Review stands before the last task", "it is the last task, and only it")
		}
	}
	switch {
	case last != nil:
		c.mixedEnding()
	case !c.shape.older:
		c.add("review/last", c.taskPlace(tasks[len(tasks)-1]), "the last task is not the Final Review", "add one through refine: security pass, final-state validation, skills reconciliation")
	default:
		c.olderEnding()
	}
}

// mixedEnding: beside a Final Review none of the older ending, but a completed security review just before it that a
// declared migration kept.
func (c *checker) mixedEnding() {
	tasks := c.order
	for i := range tasks[:len(tasks)-1] {
		part := partOf(tasks[i])
		justBefore := i == len(tasks)-2
		kept := part == securityReview && justBefore && isDone(tasks[i]) && c.s.README != nil && c.s.README.MigratedFrom != ""
		if part == skillsDiscovery || part == executiveReport || part == securityReview && justBefore && !kept {
			c.add("ending/mixed", c.taskPlace(tasks[i]), "a task of the older ending stands beside the Final Review", "keep one ending; a declared migration may keep a completed security review just before the Final Review")
		}
	}
}

// olderEnding: security review, skills discovery, executive report; or the last two of it (PD-9).
func (c *checker) olderEnding() {
	tasks := c.order
	n := len(tasks)
	if n >= 2 && partOf(tasks[n-1]) == executiveReport && partOf(tasks[n-2]) == skillsDiscovery {
		return
	}
	c.addLevel(weaker(c.shape.version == ""), "ending/incomplete", c.taskPlace(tasks[n-1]),
		"the plan does not end with its mandatory tasks", "older plans end with security review, skills discovery and executive report, or the last two; newer ones with a Final Review")
}

// checkReviewRecord: the three parts of a Final Review, and that a completed one does not deny them (PD-7).
func checkReviewRecord(c *checker) {
	last := c.finalReview()
	if last.Record == nil || last.Doc == nil {
		return
	}
	words := withoutDenials(strings.ToLower(recordWords(last)))
	var missing []string
	for _, part := range reviewParts {
		if !containsAny(words, part.words) {
			missing = append(missing, part.name)
		}
	}
	if len(missing) > 0 {
		c.add("review/parts", inRecord(*last, last.Record.Head), "the Final Review does not name its "+strings.Join(missing, ", "), "name security pass, final-state validation and skills reconciliation")
	}
	if !isDone(*last) {
		return
	}
	if s := last.Record.Section(planmd.CompletionLog); s != nil {
		if m, ok := evidence.Negated(last.Doc.Text(s.Body)); ok {
			c.add("review/denied", inRecord(*last, s.Head), "the completed Final Review says that it was not done: "+quote(m.Text), "do the review, then complete it")
		}
	}
}

var reviewParts = []struct {
	name  string
	words []string
}{
	{"security pass", []string{"security", "segurança", "seguridad", "ความปลอดภัย", "安全"}},
	{"final-state validation", []string{"final-state", "final state", "final verification", "final check", "end-state", "end state", "final tree", "verificación final", "verificação final", "verificação do estado", "verificación del estado", "validat", "validaç", "validação", "validaci", "estado final", "ตรวจสอบสถานะ", "การตรวจสอบ", "สถานะสุดท้าย", "验证", "驗證", "最终状态", "終態", "终态", "最終狀態"}},
	{"skills reconciliation", []string{"skill", "habilidad", "habilidade", "ทักษะ", "สกิล", "技能"}},
}

func containsAny(text string, words []string) bool {
	for _, w := range words {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

// withoutDenials drops the lines that name parts only to say that they are not done: "No security, no final-state and
// no skills work was done" (TRAPS).
func withoutDenials(words string) string {
	var kept strings.Builder
	for line := range strings.Lines(words) {
		bare := strings.TrimLeft(line, " \t-*+>")
		if startsWithAny(bare, denialWords) {
			if _, ok := evidence.Negated(bare); ok {
				continue
			}
		}
		kept.WriteString(line)
	}
	return kept.String()
}

// denialWords begin such a line, in PD-11's languages.
var denialWords = []string{"no ", "none ", "neither ", "nenhum", "ningún", "ningun", "não ", "ไม่", "没有", "沒有", "未"}

func startsWithAny(text string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(text, w) })
}

// recordWords is the prose of a record without its log and the names of its own sections, which use the same words for other
// things. A sub-heading names a part as well as a sentence does: "### Security pass".
func recordWords(t *plan.TaskView) string {
	var b strings.Builder
	log := planmd.Span{}
	if s := t.Record.Section(planmd.CompletionLog); s != nil {
		log = s.Body
	}
	for i := range t.Record.Sections {
		s := &t.Record.Sections[i]
		if s.Kind == planmd.CompletionLog || log.Start <= s.Head.Start && s.Head.Start < log.End {
			continue
		}
		if s.Kind == planmd.Other {
			b.WriteString(s.Label + "\n")
		}
		b.WriteString(headings().ReplaceAllString(comments().ReplaceAllString(t.Doc.Text(s.Body), ""), ""))
		b.WriteByte('\n')
	}
	return b.String()
}

var comments = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?s)<!--.*?-->`) })

var headings = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^ {0,3}#{1,6}[ \t].*$`) })

// checkSecurityReview: the report of a completed Final Review (PD-7, UN-5).
func checkSecurityReview(c *checker) {
	last := c.finalReview()
	if !isDone(*last) {
		return
	}
	if !present(c.s, plan.ReviewFile) {
		c.add("review/security-file", rule.Place{File: plan.ReviewFile, Task: last.ID}, "the Final Review is completed, but "+plan.ReviewFile+" is missing", "write it, even when nothing was found")
		return
	}
	r := c.s.Review
	if r == nil {
		return
	}
	if r.Empty {
		c.add("review/security-empty", rule.Place{File: plan.ReviewFile}, plan.ReviewFile+" has no words", "write what was looked at and what was found, even when nothing was")
	}
	for _, f := range r.Critical {
		c.addWhat("review/critical-open", docPlace(plan.ReviewFile, &r.Doc, f.Span, 0), "a critical finding is unresolved", f.Text, "fix it, or have a person accept it in writing there")
	}
	if c.shape.current && !r.Documentation && (last.Record == nil || !last.Record.Log.Reconciled) {
		c.add("review/documentation", rule.Place{File: plan.ReviewFile, Task: last.ID}, "no documentation reconciliation is shown", "say in the Final Review's log which documents were reconciled")
	}
}
