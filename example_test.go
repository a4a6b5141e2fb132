package dwp_test

import (
	"fmt"
	"time"

	"github.com/deepworkplan/dwp"
)

// Open a plan, ask what is next, and list what breaks conformance.
func Example() {
	plan, err := dwp.Open("examples/bike-rental/.dwp/plans/PLAN_damage_reports")
	if err != nil {
		fmt.Println(err)
		return
	}
	o := plan.Overview()
	fmt.Printf("%s: %d of %d tasks done\n", o.Title, o.Completed, o.Total)
	if o.Hold == dwp.HoldDesync {
		fmt.Println("README.md and state.json disagree: nothing may start")
	}

	report := dwp.Verify(plan, dwp.Options{Now: time.Now()})
	fmt.Println(report.Verdict)
	for _, f := range report.Findings {
		if f.Level == dwp.Must {
			fmt.Printf("%s:%d: %s [%s]\n", f.File, f.Line, f.Message, f.Rule)
		}
	}
	// Output:
	// Act on damage reports: 2 of 4 tasks done
	// README.md and state.json disagree: nothing may start
	// nonconformant
	// README.md:31: says 3/4, the boxes say 2/4 [index/count]
	// state.json:58: task 2: a passing record says that the check did not run: "suite not executed" [evidence/never-ran]
	// state.json:82: task 3: state.json runs ahead: it says completed, the README's box is open [desync/state-ahead]
}
