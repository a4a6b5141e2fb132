package verify

import "github.com/deepworkplan/dwp/internal/state"

// checks is the table of everything that is checked of a plan, in the order of the catalogue. A row's rules
// are exactly those its function may report; a test compares the two.
var checks = []check{
	{rules: []string{"layout/unreadable"}, run: checkReadable, always: true},
	{rules: []string{"layout/moved"}, run: checkMoved, always: true},
	{rules: []string{"layout/too-large"}, run: checkCut, always: true},
	{rules: []string{"layout/name"}, run: checkName},
	{rules: []string{"layout/readme", "layout/progress", "layout/prompts", "layout/analysis-results", "layout/not-a-file"}, run: checkDocuments},
	{rules: []string{"layout/json-alone"}, run: checkPair, when: hasJSON},
	{needs: readme, rules: []string{"layout/lite-task-file"}, run: checkTaskFiles, when: isLite},
	{needs: readme, rules: []string{"layout/extra-task-file", "layout/duplicate-task-file", "layout/nested-task-files"}, run: checkTaskFiles, when: isFull},
	{rules: []string{"layout/temp-file", "layout/lock"}, run: checkLeftovers, always: true},
	{rules: []string{"operation/unfinished", "publication/unfinished"}, run: checkMarkers, always: true},

	{needs: readme, rules: []string{"text/not-utf8", "text/bom", "text/conflict-markers", "text/fence-unclosed", "text/fence-runaway", "text/comment-unclosed"},
		run: checkText, always: true},
	{rules: []string{"json/syntax", "json/duplicate-key", "json/conflict-markers", "json/limits", "json/bom"}, run: checkJSON, when: hasJSON, always: true},

	{rules: []string{"standard/newer", "standard/unknown", "standard/generation"}, run: checkStandard, always: true},
	{needs: readme, rules: []string{"standard/missing", "standard/differs", "standard/migration-unrecorded"}, run: checkStandardLine},
	{needs: manifest, rules: []string{"schema/missing", "schema/unknown"}, run: checkManifestShape, when: unknownSchema, always: true},
	{needs: manifest, rules: []string{"manifest/missing-field", "manifest/type", "manifest/value", "manifest/unknown-field"}, run: checkManifestShape},
	{needs: manifest, rules: []string{"manifest/name", "manifest/value", "manifest/task-count"}, run: checkManifestIdentity},
	{needs: stateJSON, rules: []string{"schema/missing", "schema/unknown"}, run: checkStateShape, when: unknownSchema, always: true},
	{needs: stateJSON, rules: []string{"state/missing-field", "state/type", "state/value", "state/timestamp", "state/unknown-field", "state/closed-object", "state/task-fields", "state/task-value",
		"gate/shape", "gate/unknown-field", "gate/length", "gate/one-line", "outcome/shape", "checkpoint/shape", "blocked/shape", "promotion/shape", "commit/shape"}, run: checkStateShape},
	{needs: manifest | stateJSON, rules: []string{"schema/torn"}, run: checkEras},
	{needs: stateJSON, rules: []string{"state/plan-name"}, run: checkStateIdentity},
	{needs: manifest | stateJSON, rules: []string{"state/format"}, run: checkFormat, when: isTyped},
	{needs: stateJSON, rules: []string{"state/task-ids", "state/task-count", "state/completed-count", "state/status", "state/task-value"}, run: checkEntries},
	{needs: stateJSON, rules: []string{"state/locator", "state/locator-file", "state/locator-outside"}, run: checkLocators},
	{needs: stateJSON, rules: []string{"time/completed-at", "time/order", "time/future", "time/last-run"}, run: checkTimes},
	{needs: manifest, rules: []string{"time/future"}, run: checkCreatedAt},
	{needs: stateJSON, rules: []string{"commit/missing"}, run: checkCommits},
	{needs: stateJSON, rules: []string{"gate/shape", "gate/pass-with-failure", "gate/fail-with-success", "gate/pointer-outside", "gate/pointer-missing", "evidence/filtered-exit"}, run: checkGates},
	{needs: stateJSON, rules: []string{"evidence/none", "evidence/empty", "evidence/failing", "evidence/invalidated", "evidence/never-ran", "evidence/doubtful", "evidence/zero-tests"}, run: checkEvidence},
	{needs: stateJSON, rules: []string{"evidence/log-digest"}, run: checkLogDigests},
	{needs: stateJSON, rules: []string{"outcome/missing"}, run: checkOutcomes},
	{needs: stateJSON, rules: []string{"checkpoint/task", "checkpoint/final", "checkpoint/stale"}, run: checkCheckpoint},
	{needs: stateJSON, rules: []string{"blocked/shape", "blocked/task", "blocked/record", "blocked/class"}, run: checkBlockers},
	{needs: stateJSON, rules: []string{"skipped/authority", "skipped/final-review", "skipped/completes"}, run: checkSkipped},

	{needs: readme, rules: []string{"approval/missing", "approval/unknown", "approval/differs"}, run: checkApproval},
	{needs: readme, rules: []string{"approval/progress-under-pending"}, run: checkProgressUnderPending},
	{rules: []string{"materialization/partial", "promotion/unfinished", "promotion/shape"}, run: checkMaterialization},

	{needs: readme | manifest | stateJSON, rules: []string{"promotion/inline-left"}, run: checkPromoted},

	{needs: readme, rules: []string{"index/missing", "index/no-boxes", "index/unknown-mark", "index/empty-box", "index/duplicate", "index/order"}, run: checkIndex},
	{needs: readme, rules: []string{"index/link", "index/link-target", "index/link-outside", "index/link-number", "index/normal-form"}, run: checkLinks, when: isFull},
	{needs: readme, rules: []string{"index/count", "index/no-count", "index/status-prose"}, run: checkCounts, when: hasIndex},
	{needs: readme, rules: []string{"index/title-differs"}, run: checkTitles, when: hasIndex},
	{needs: readme | stateJSON, rules: []string{"desync/state-ahead", "desync/state-behind", "desync/missing-entry", "desync/missing-line"}, run: checkDesync, when: hasIndex},
	{needs: readme, rules: []string{"readme/title", "readme/goal", "readme/context"}, run: checkReadme},
	{needs: readme, rules: []string{"readme/selection", "readme/advice"}, run: checkReadmeAdvice},
	{needs: readme, rules: []string{"readme/variables"}, run: checkVariables},
	{needs: readme, rules: []string{"parallelism/missing", "parallelism/rationale"}, run: checkParallelism, when: hasPlanFormat},
	{needs: readme, rules: []string{"groups/unknown-task", "groups/file-ownership", "groups/final-review"}, run: checkGroups, when: hasGroups},
	{needs: readme | taskFiles, rules: []string{"depends/unknown-task", "depends/cycle"}, run: checkDepends},
	{needs: readme | taskFiles, rules: []string{"order/too-early"}, run: checkOrder},

	{needs: readme, rules: []string{"record/anchor", "record/duplicate-anchor", "record/stray"}, run: checkAnchors, when: isLite},
	{needs: readme | taskFiles, rules: []string{"record/section", "record/context", "record/advice", "record/no-boxes", "record/open-criteria"}, run: checkRecords},
	{needs: readme | taskFiles, rules: []string{"surface/facts", "surface/risk-class"}, run: checkSurfaces},
	{needs: readme | taskFiles, rules: []string{"review/last", "ending/mixed", "ending/incomplete"}, run: checkEnding, when: hasTasks},
	{needs: readme | taskFiles, rules: []string{"review/parts", "review/denied"}, run: checkReviewRecord, when: endsWithReview},
	{needs: readme | taskFiles, rules: []string{"review/security-file", "review/security-empty", "review/critical-open", "review/documentation"}, run: checkSecurityReview, when: endsWithReview},
	{needs: readme | taskFiles, rules: []string{"log/pending", "log/ahead", "log/no-status", "log/placeholder"}, run: checkLogs},
	{needs: readme | taskFiles, rules: []string{"log/skills", "log/skills-form", "log/documentation"}, run: checkDispositions, when: owesDispositions},
	{needs: candidates, rules: []string{"candidates/ids"}, run: checkCandidates},
	{needs: readme | progress, rules: []string{"progress/entry"}, run: checkProgress},
	{needs: readme | taskFiles, rules: []string{"amendment/fields", "amendment/authority", "amendment/deferral", "amendment/date"}, run: checkAmendments},
	{needs: readme | taskFiles | progress, rules: []string{"amendment/numbers", "amendment/copies"}, run: checkAmendmentSeries},

	{rules: []string{"hub/manifest", "hub/row"}, run: checkHub, when: isHub},
	{needs: readme, rules: []string{"layer/missing", "layer/unattended"}, run: checkLayer},
	{needs: manifest, rules: []string{"secret/json"}, run: checkSecretsManifest},
	{needs: stateJSON, rules: []string{"secret/json"}, run: checkSecretsState},
	{needs: manifest, rules: []string{"secret/personal"}, run: checkCreator},
	{needs: stateJSON, rules: []string{"secret/personal"}, run: checkUpdater},
	{rules: []string{"secret/markdown"}, run: checkSecretsText},
	{needs: receipt, rules: []string{"receipt/shape"}, run: checkReceiptShape},
	{needs: receipt | stateJSON, rules: []string{"receipt/state", "receipt/artefact", "receipt/unexpected"}, run: checkReceipt},
	{needs: stateJSON, rules: []string{"receipt/missing"}, run: checkReceiptMissing},
}

func hasJSON(c *checker) bool  { return c.shape.hasJSON }
func isLite(c *checker) bool   { return c.shape.lite }
func isFull(c *checker) bool   { return !c.shape.lite }
func isTyped(c *checker) bool  { return c.shape.era == state.V2 || c.shape.era == state.V5 }
func hasIndex(c *checker) bool { return len(c.s.README.Index) > 0 }
func hasTasks(c *checker) bool { return len(c.view.Tasks) > 0 }
func hasGroups(c *checker) bool {
	return len(c.s.README.Groups) > 0
}
func endsWithReview(c *checker) bool { return c.finalReview() != nil }

// hasPlanFormat: PD-4's parallelism decision is owed by plans with a plan_format.
func hasPlanFormat(c *checker) bool { return c.s.Manifest != nil && c.s.Manifest.PlanFormat != "" }

// owesDispositions: older shapes owe none (PD-9).
func owesDispositions(c *checker) bool { return !c.shape.older || endsWithReview(c) }

// unknownSchema: then nothing but the schema itself is reported of the file (PS-22).
func unknownSchema(c *checker) bool {
	return c.s.Manifest != nil && c.s.Manifest.Era == state.Unknown || c.s.State != nil && c.s.State.Era == state.Unknown
}
