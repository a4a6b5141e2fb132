// Package work carries a plan through its tasks: it records the approval that lets work begin, runs and records gates, and moves the
// four places that tell how far a task is (its log, README.md, PROGRESS.md, state.json) in step, as one operation. Decisions are pure;
// what is written goes through publish. Requirements: LF-7, UN-6 as far as approval goes, WP-1, WP-2, PS-18, PS-19;
// PS-14 to PS-16, GU-5 to GU-7 and PD-8 as the commands write them; WP-4 and WP-5 as far as records and a commit tell.
package work
