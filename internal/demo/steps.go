package demo

import "path"

// planName is the plan that create makes of the outline's title.
const planName = "PLAN_count_the_fence_posts"

// Plan is the plan's folder in the repository, once the demonstration is over.
const Plan = ".dwp/plans/" + planName

// receipt is what publication leaves in it.
const receipt = Plan + "/analysis_results/FINALIZATION.json"

// Names of programs; dwp is the one that runs, whatever its file is called.
const (
	dwpProgram = "dwp"
	gitProgram = "git"
	goProgram  = "go"
)

// step is one command, and what is told before it.
type step struct {
	say   string // "" for nothing
	write []file // written before the command
	run   []string
	exit  int // what the command has to end with
	// demand is a text that its output has to contain; "" for none.
	demand string
	// lines is how much of its output is shown, 0 for all of it.
	lines int
	// quiet: neither the command nor its output is shown.
	quiet bool
}

// file copies an embedded file into the repository.
type file struct{ source, name string }

// preparation makes the repository. Who commits is set in it alone: the user's own name is not borrowed.
func preparation() []step {
	return []step{
		{
			write: []file{{"go.mod.txt", "go.mod"}, {"fence.go.txt", "fence.go"}, {"fence_test.go.txt", "fence_test.go"}},
			run:   git("init", "-q"), quiet: true,
		},
		{run: git("config", "user.name", "Demo"), quiet: true},
		{run: git("config", "user.email", "demo@example.org"), quiet: true},
		{run: git("add", "-A"), quiet: true},
		{
			say: "A small Go package counts the posts of a fence, and counts one too few.",
			run: git("commit", "-q", "-m", "feat: count fence posts"), quiet: true,
		},
	}
}

// story is the work on the plan, from its outline to its receipt.
func story() []step {
	return []step{
		{
			say:   "1. A plan is made of an outline: goal, context, tasks with criteria and gates.",
			write: []file{{"outline.md", "outline.md"}},
			run:   dwp("create", "lite", "--from", "outline.md", "--ignore"),
		},
		{run: git("add", "-A"), quiet: true},
		{run: git("commit", "-q", "-m", "chore: ignore plans"), quiet: true},
		{say: "2. Nothing starts before a person approves. This is exit code 5.", run: dwp("start"), exit: 5},
		{
			say: "Here the demo plays that person. Starting prints all that the task needs; these are the first lines.",
			run: dwp("start", "--approve-as", "Demo"), lines: 16,
		},
		{
			say: "3. The gate of the task is a test. It runs, fails, and that is recorded.",
			run: dwp("gate", "run", "--", "go", "test", "./..."), exit: 1, demand: "recorded",
		},
		{
			say: "On a failed gate no task is completed: exit code 1, and nothing was written.",
			run: complete("1", "both ends are counted", "none needed"), exit: 1, demand: "evidence/failing",
		},
		{
			say:   "4. The repair.",
			write: []file{{"mended.go.txt", "fence.go"}},
			run:   git("diff", "-U1", "fence.go"),
		},
		{run: dwp("gate", "run", "--", "go", "test", "./..."), demand: "passed"},
		{run: git("commit", "-q", "-a", "-m", "fix: count both ends - Task 1 of "+planName)},
		{
			say: "5. Now the task can be completed: its log, the README, PROGRESS.md and state.json, all at once or not at all.",
			run: complete("1", "both ends are counted", "none needed"), demand: "completed",
		},
		{
			say: "6. The last task of every plan is the Final Review. It reads what the others left.",
			run: dwp("start"), lines: 10,
		},
		{
			say:   "The review is written into the plan's folder, and its gate is run on what will be handed over.",
			write: []file{{"security_review.md", path.Join(Plan, "analysis_results", "SECURITY_REVIEW.md")}},
			run:   dwp("gate", "run", "--", "go", "test", "./..."), demand: "passed",
		},
		{
			say: "7. Completing the last task publishes the plan, with a receipt.",
			run: append(complete("2", "no findings", "all current"), "--commit", "none"), demand: "published",
		},
		{say: "8. Anybody can check it, at any time.", run: dwp("verify", "--quiet"), demand: ": CONFORMANT"},
		{run: dwp("list"), demand: "completed"},
		{run: git("log", "--oneline")},
	}
}

func dwp(args ...string) []string { return append([]string{dwpProgram}, args...) }
func git(args ...string) []string { return append([]string{gitProgram}, args...) }

// complete is the call that closes a task.
func complete(task, worked, docs string) []string {
	return dwp("complete", task, "--worked", worked, "--skills", "none", "--docs", docs, "--check-criteria", "all")
}
