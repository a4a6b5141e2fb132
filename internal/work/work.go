// Package work carries a plan through its tasks: it records the approval that lets work begin, runs and records gates, and moves the
// four places that tell how far a task is (its log, README.md, PROGRESS.md, state.json) in step, as one operation. Decisions are pure;
// what is written goes through publish. Requirements: LF-7, UN-6 as far as approval goes, WP-1, WP-2, PS-18, PS-19.
package work
