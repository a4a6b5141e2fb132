package verify

import (
	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/state"
)

// checkReceiptShape passes on what the decoder found (VP-1).
func checkReceiptShape(c *checker) {
	for _, f := range c.s.ReceiptFaults {
		c.fault(f, jsonPlace(state.ReceiptFile, c.s.Receipt.Doc, f.Value, 0))
	}
}

// checkReceipt compares a completed plan with what was published (VP-1, VP-5).
func checkReceipt(c *checker) {
	r := c.s.Receipt
	at := rule.Place{File: state.ReceiptFile}
	if c.s.State.Status != state.Completed {
		c.add("receipt/unexpected", at, "the plan is not completed, but a receipt is in force", "a reopened plan keeps its receipt under another name, FINALIZATION-<n>.json")
		return
	}
	if f := c.s.Files[state.StateFile]; f != nil && r.StateSHA256 != "" && f.SHA256() != r.StateSHA256 {
		c.add("receipt/state", at, "state.json is not the one that was published", "restore it, or reopen the plan by amendment and publish again")
	}
	for _, d := range r.Files {
		c.compareDigest(d)
	}
}

func (c *checker) compareDigest(d state.FileDigest) {
	at := jsonPlace(state.ReceiptFile, c.s.Receipt.Doc, d.Node, 0)
	f := c.s.Files[d.Path]
	switch {
	case f == nil && !present(c.s, d.Path):
		c.addWhat("receipt/artefact", at, "a published file is gone", d.Path, "restore it, or reopen the plan by amendment and publish again")
	case f == nil || f.Err != nil:
		c.leave("receipt/artefact", d.Path+" can't be read")
	case f.Digest(d.Length) != d.SHA256:
		c.addWhat("receipt/artefact", at, "a published file was changed afterwards", d.Path, "restore it, or reopen the plan by amendment and publish again")
	}
}

// checkReceiptMissing: completed without a receipt is advice (VP-5).
func checkReceiptMissing(c *checker) {
	if c.s.State.Status == state.Completed && !present(c.s, state.ReceiptFile) {
		c.add("receipt/missing", rule.Place{File: state.ReceiptFile}, "the plan is completed without a receipt", "dwp finalize checks it whole and writes one")
	}
}
