package planmd

import "testing"

// TestFieldForms: a value that is filled in, and a line beside it, have the form that the log has (PD-8, PD-11).
func TestFieldForms(t *testing.T) {
	const head = "# Task 1: x\n\n## Completion & Log\n\n"
	for _, c := range []struct{ log, filled string }{
		{"- Status: pending\n", "- Status: completed\n- Date: today\n"},
		{"- **Status:** pending\n", "- **Status:** completed\n- **Date:** today\n"},
		{"- **Status**: pending\n", "- **Status**: completed\n- **Date**: today\n"},
		{"**Status: pending**\n", "**Status: completed**\n**Date: today**\n"},
		{"Status: pending", "Status: completed\nDate: today"},
		{"Status: pending\r\n", "Status: completed\r\nDate: today\n"}, // the first line end of the file decides
		{"* Status:\n", "* Status: completed\n* Date: today\n"},
		{"- Status: \n", "- Status: completed \n- Date: today\n"},
		{"- Status: {status}\n", "- Status: completed\n- Date: today\n"},
		{"- Status: TBD <!-- later -->\n", "- Status: completed <!-- later -->\n- Date: today\n"},
		{"1. Status: pending\n", "1. Status: completed\n- Date: today\n"},
		{"- \u0e2a\u0e16\u0e32\u0e19\u0e30: pending\n", "- \u0e2a\u0e16\u0e32\u0e19\u0e30: completed\n- Date: today\n"},
		{"| Status | pending |\n|---|---|\n| Status | pending |\n", "| Status | pending |\n|---|---|\n| Status | completed |\n- Date: today\n"},
	} {
		doc := ReadTask([]byte(head + c.log))
		f := doc.Log.Status
		if f == nil {
			t.Errorf("%q has no status", c.log)
			continue
		}
		e := NewEdit(&doc.Doc)
		e.FillField(f, "completed")
		e.AddLines(f.Span, doc.Like(f, "Date", "today"))
		got, err := e.Bytes()
		if err != nil || string(got) != head+c.filled {
			t.Errorf("%q\n got %q, %v\nwant %q", c.log, got[len(head):], err, head+c.filled)
			continue
		}
		if again := ReadTask(got); again.Log.State != LogCompleted {
			t.Errorf("%q reads as %q", got, again.Log.State)
		}
	}
}
