package cli

import (
	"errors"
	"fmt"

	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/verify"
)

// Exit codes are a promise (DESIGN, Commands): the words of an answer and its code always agree (C147).
const (
	ExitOK          = 0
	ExitNo          = 1   // the answer is no: not conformant, refused
	ExitUsage       = 2   // the call's words are off
	ExitCannot      = 3   // could not do it: I/O, UNVERIFIED
	ExitLocked      = 4   // locked, or changed meanwhile
	ExitBlocked     = 5   // blocked, a person is needed
	ExitInterrupted = 130 // interrupted
)

// exitLines is the table of codes that help prints, in order.
var exitLines = [...]struct {
	code int
	text string
}{
	{ExitOK, "done, or the answer is yes"},
	{ExitNo, "the answer is no: not conformant, nothing may start, or refused"},
	{ExitUsage, "the call is wrong: unknown flag, command, rule or plan"},
	{ExitCannot, "could not be done: unreadable, UNVERIFIED, no plans"},
	{ExitLocked, "the plan is locked, or was changed meanwhile"},
	{ExitBlocked, "a person is needed: blocked, or not approved"},
	{ExitInterrupted, "interrupted"},
}

// failure is why a command gave no answer. A broken plan is no failure but a finding. Messages quote what the caller typed with %q and
// say nothing of the package that failed; the code is what programs branch on, never the text.
type failure struct {
	exit    int
	code    string // stable, for programs: "no-plans"
	message string // lower case, no full stop
	hint    string // what to do; "" when the message says it

	findings []rule.Finding // why a plan as a whole is refused (VP-1)
	base     string         // what their places are relative to
}

func (f *failure) Error() string { return f.message }

// usage makes a failure of the call itself.
func usage(code, hint, format string, args ...any) *failure {
	return &failure{exit: ExitUsage, code: code, message: fmt.Sprintf(format, args...), hint: hint}
}

// cannot makes a failure of doing what was asked.
func cannot(code, hint, format string, args ...any) *failure {
	return &failure{exit: ExitCannot, code: code, message: fmt.Sprintf(format, args...), hint: hint}
}

// answered ends a command that has given its answer, with the code that goes with it.
type answered int

func (a answered) Error() string { return fmt.Sprintf("exit code %d", int(a)) }

// answer is the error that ends a command with code; nil for 0.
func answer(code int) error {
	if code == ExitOK {
		return nil
	}
	return answered(code)
}

// failureOf tells what an error of a command means. Only failures and answers carry a code of their own; the rest
// could not be done.
func failureOf(err error) *failure {
	if f, ok := errors.AsType[*failure](err); ok {
		return f
	}
	return cannot("error", "", "%s", err)
}

// failureOfOrNil is failureOf, with nil for nil.
func failureOfOrNil(err error) *failure {
	if err == nil {
		return nil
	}
	return failureOf(err)
}

// verdictExit maps a verdict to the exit code (DESIGN: any must finding 1, else any rule not evaluated 3).
func verdictExit(v verify.Verdict) int {
	switch v {
	case verify.Conformant:
		return ExitOK
	case verify.Nonconformant:
		return ExitNo
	}
	return ExitCannot
}

// verdictWords are the words people read for a verdict.
func verdictWords(v verify.Verdict) string {
	switch v {
	case verify.Conformant:
		return "CONFORMANT"
	case verify.Nonconformant:
		return "NOT CONFORMANT"
	}
	return "UNVERIFIED"
}

// worse returns the verdict of two together: one broken plan breaks the whole, and what wasn't evaluated is never conformant (VP-6).
func worse(a, b verify.Verdict) verify.Verdict {
	for _, v := range []verify.Verdict{verify.Nonconformant, verify.Unverified} {
		if a == v || b == v {
			return v
		}
	}
	return verify.Conformant
}
