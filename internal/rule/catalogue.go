package rule

// group is the rules whose IDs share the part before the slash.
type group struct {
	name  string
	rules []Rule
}

// groups is the catalogue, in the order in which listings print it. It is constant data: nothing
// is computed when the program starts, and Lookup looks at one group only.
var groups = [...]group{
	{"layout", layoutRules},
	{"text", textRules},
	{"json", jsonRules},
	{"schema", schemaRules},
	{"standard", standardRules},
	{"manifest", manifestRules},
	{"state", stateRules},
	{"time", timeRules},
	{"commit", commitRules},
	{"gate", gateRules},
	{"evidence", evidenceRules},
	{"outcome", outcomeRules},
	{"checkpoint", checkpointRules},
	{"blocked", blockedRules},
	{"approval", approvalRules},
	{"materialization", materializationRules},
	{"promotion", promotionRules},
	{"operation", operationRules},
	{"publication", publicationRules},
	{"index", indexRules},
	{"desync", desyncRules},
	{"readme", readmeRules},
	{"parallelism", parallelismRules},
	{"groups", groupsRules},
	{"depends", dependsRules},
	{"order", orderRules},
	{"record", recordRules},
	{"surface", surfaceRules},
	{"review", reviewRules},
	{"ending", endingRules},
	{"log", logRules},
	{"candidates", candidatesRules},
	{"progress", progressRules},
	{"amendment", amendmentRules},
	{"skipped", skippedRules},
	{"hub", hubRules},
	{"layer", layerRules},
	{"secret", secretRules},
	{"receipt", receiptRules},
	{"plans", plansRules},
	{"repo", repoRules},
}
