// Package turntest is the scripted agent of the tests of unattended turns: a real program that reads a prompt, edits a real repository,
// calls git and dwp, and behaves well or badly as it is told (UN-2, UN-3). It also makes the repository and the outline that it works
// on. Nothing but tests imports it, and it imports nothing of dwp: what it knows of a plan it has from the prompt, as any agent does.
package turntest

import (
	"fmt"
	"strings"
)

// Plan is the name of the plan that dwp makes of Outline.
const Plan = "PLAN_ring_up_the_till"

// Tasks is how many tasks it has; the last is the Final Review.
const Tasks = 8

// HumanTask is the task with a criterion that names a person, in the outline that has one.
const HumanTask = 5

// HumanCriterion is that criterion (UN-6).
const HumanCriterion = "The limit is approved by Ada"

// Piece is what one task adds to the shop: a shell function in a file, and a test of it in another.
type Piece struct {
	Name    string
	Depends string // as the outline says it
	code    string
	call    string // of the function, in the test
	want    string
}

// pieces are the tasks before the Final Review. 2 and 3 depend on each other, and so do 4 and 5; the two chains share nothing.
func pieces() []Piece {
	return []Piece{
		{"round", "none", `echo $((($1 + 2) / 5 * 5))`, "round 13", "15"},
		{"price", "1", `echo $(($1 * $2))`, "price 3 40", "120"},
		{"rebate", "2", `echo $(($1 - $1 / 10))`, "rebate 200", "180"},
		{"stock", "1", `echo $(($1 - $2))`, "stock 9 4", "5"},
		{"reorder", "4", `if [ "$1" -lt 5 ]; then echo yes; else echo no; fi`, "reorder 4", "yes"},
		{"receipt", "3, 5", `echo "$1: $2"`, "receipt pear 120", "pear: 120"},
		{"greet", "6", `echo "Good morning, $1"`, "greet Ada", "Good morning, Ada"},
	}
}

// PieceOf is what a task adds; ok is false for the Final Review.
func PieceOf(task int) (p Piece, ok bool) {
	if task < 1 || task >= Tasks {
		return Piece{}, false
	}
	return pieces()[task-1], true
}

// Product and Test are its files.
func (p Piece) Product() string { return "till/" + p.Name + ".sh" }
func (p Piece) Test() string    { return "till/test_" + p.Name + ".sh" }

// Gate is the command that validates it.
func (p Piece) Gate() []string { return []string{"sh", p.Test()} }

func (p Piece) productText() string { return p.Name + "() {\n\t" + p.code + "\n}\n" }

func (p Piece) testText() string {
	return fmt.Sprintf(". till/%[1]s.sh\ngot=$(%[2]s)\nif [ \"$got\" = %[3]q ]; then\n\techo \"ok 1 - %[2]s\"\nelse\n\techo \"not ok 1 - %[2]s: got $got\"\n\texit 1\nfi\n",
		p.Name, p.call, p.want)
}

// Files are the repository before any task is worked: one piece of the shop, with its test, and a page that no task is about.
func Files() map[string]string {
	open := Piece{Name: "open", code: "echo open", call: "open", want: "open"}
	return map[string]string{
		open.Product(): open.productText(),
		open.Test():    open.testText(),
		"README.md":    "# A till\n\nShell functions, each with a test beside it.\n",
	}
}

// Outline is the outline of the plan. With human, one of its tasks has a criterion that only a person can fulfil (UN-6).
func Outline(human bool) string {
	var b strings.Builder
	b.WriteString(outlineHead)
	for i, p := range pieces() {
		criteria := "- [ ] `" + p.call + "` says " + p.want + "\n"
		if human && i+1 == HumanTask {
			criteria += "- [ ] " + HumanCriterion + "\n"
		}
		b.WriteString(strings.NewReplacer("NUMBER", fmt.Sprint(i+1), "NAME", p.Name, "DEPENDS", p.Depends, "CRITERIA\n", criteria).Replace(outlineTask))
	}
	return b.String()
}

const outlineHead = `# Ring up the till

Execution: parallel - prices and stock share nothing

## Goal

The till rounds, prices, counts its stock and prints a receipt.

## Context

The till is a folder of shell functions, and each has a test beside it.

## Parallel Groups

| Group | Tasks | Teammate | Owned files |
|---|---|---|---|
| First | 2 | prices | ` + "`till/price.sh`, `till/test_price.sh`" + ` |
| First | 4 | stock | ` + "`till/stock.sh`, `till/test_stock.sh`" + ` |
| Second | 3 | prices | ` + "`till/rebate.sh`, `till/test_rebate.sh`" + ` |
| Second | 5 | stock | ` + "`till/reorder.sh`, `till/test_reorder.sh`" + ` |
`

const outlineTask = `
## Task NUMBER: Add the function NAME

Depends on: DEPENDS

### Context

The till has no function NAME.

### Goal

The till has a function NAME that does what its test says.

### Touched Surface

- Planned: ` + "`till/NAME.sh`, `till/test_NAME.sh`" + `
- Risk class: isolated

### Instructions

1. Write the function.
2. Write its test.

### Acceptance Criteria

CRITERIA

### Outputs

- ` + "`till/NAME.sh`" + ` with its test

### Validation

` + "```sh\nsh till/test_NAME.sh\n```\n"
