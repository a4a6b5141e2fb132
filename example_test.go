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

	report := dwp.Verify(plan, dwp.Options{Now: time.Now()})
	fmt.Println(report.Verdict)
	for _, f := range report.Findings {
		if f.Rule == "index/count" {
			fmt.Printf("%s:%d: %s\n", f.File, f.Line, f.Message)
		}
	}
	// Output:
	// Act on damage reports: 2 of 4 tasks done
	// nonconformant
	// README.md:31: says 3/4, the boxes say 2/4
}
