package rule

// This file: the presence of the state layer, secrets, and receipts (PS-2, PS-7, VP-5).

var layerRules = []Rule{
	{ID: "layer/missing", Level: Must, Levels: "should for Full plans of standard 1.2 and later, info for older ones", Requirement: "PS-2",
		Title:   "the state layer is present where it is required",
		Why:     "Without the state layer nothing machine-readable tells how far the plan is; a Lite plan has no other record of its gates.",
		Example: "a Lite plan without manifest.json and state.json",
		Mend:    "Create both files from the README."},
	{ID: "layer/unattended", Level: Must, Levels: "should when only the approval is missing", Requirement: "UN-1",
		Title:   "a plan open to unattended runs has the state layer and an approval",
		Why:     "An unattended run may only work what a person has approved and what it can record.",
		Example: "Unattended: allowed by Ada on 2026-09-01 with approval pending",
		Mend:    "Add the state layer and the approval, or remove the opt-in line."},
}

var secretRules = []Rule{
	{ID: "secret/json", Level: Must, Requirement: "PS-7",
		Title:   "manifest and state hold no secret",
		Why:     "The files are copied, committed and shown; a secret in them is out. Nothing removes it from where it went.",
		Example: `"evidence": "Authorization: Bearer abc123..."`,
		Mend:    "Revoke the secret now, then replace the text."},
	{ID: "secret/personal", Level: Must, Requirement: "PS-7",
		Title:   "created_by and updated_by are display names",
		Why:     "The files travel with the plan; a name to show is enough to tell who wrote them.",
		Example: `"created_by": {"agent": "jo@example.com"}`,
		Mend:    "Write the display name of agent and model."},
	{ID: "secret/markdown", Level: Should, Requirement: "PS-7",
		Title:   "the documents of the plan hold no secret",
		Why:     "Plans are shared and fed to agents; a secret in them is out.",
		Example: `password = "hunter2-long-enough" in PROGRESS.md`,
		Mend:    "Revoke the secret, then remove it from the text."},
}

var receiptRules = []Rule{
	{ID: "receipt/shape", Level: Must, Requirement: "VP-1",
		Title:   "a receipt has its form",
		Why:     "A receipt that cannot be read vouches for nothing.",
		Example: `{"result": "verified"} without state_sha256`,
		Mend:    "Publish the plan again; a receipt is never written by hand."},
	{ID: "receipt/state", Level: Must, Requirement: "VP-5",
		Title:   "the state is the one that was published",
		Why:     "state.json was changed after it was verified.",
		Example: "state_sha256 of another state.json",
		Mend:    "Restore the published state, or reopen the task and publish again."},
	{ID: "receipt/artefact", Level: Must, Requirement: "VP-5",
		Title:   "the covered files are those that were published",
		Why:     "A file was changed, removed or cut after it was verified.",
		Example: "a README edited after publication",
		Mend:    "Restore the file, or reopen the task and publish again."},
	{ID: "receipt/missing", Level: Info, Requirement: "VP-5",
		Title:   "a completed plan has a receipt",
		Why:     "The plan was completed without a verified publication, so later edits cannot be seen.",
		Example: `"status": "completed" without analysis_results/FINALIZATION.json`,
		Mend:    "Run dwp finalize PLAN: it checks the whole plan and writes the receipt."},
	{ID: "receipt/unexpected", Level: Info, Requirement: "VP-5",
		Title:   "an open plan has no receipt in force",
		Why:     "A receipt in force speaks of a completed plan, and this one is open; after a reopening it should have been renamed.",
		Example: `"status": "in_progress" beside FINALIZATION.json`,
		Mend:    "Rename it to FINALIZATION-<n>.json."},
}
