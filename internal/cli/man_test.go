package cli

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/manpage"
	"github.com/spf13/cobra"
)

// TestManPages: docs/man has a page of each command, that says what its help says. The commands of dwpd keep theirs there, too.
func TestManPages(t *testing.T) {
	dir := filepath.Join("..", "..", "docs", "man")
	var exits []string
	for _, l := range exitLines {
		exits = append(exits, fmt.Sprintf("  %d  %s", l.code, l.text))
	}
	main := manpage.Main{Use: "dwp [-C DIR] COMMAND [PLAN] [flags]", Plan: planHelp, Exits: strings.Join(exits, "\n")}
	want := map[string]string{}
	everyHelp(func(_ string, cmd *cobra.Command) {
		want[manpage.Name(cmd)+".1"] = manpage.Page(cmd, "go test ./internal/cli -run TestManPages", main)
	})
	theirs, err := filepath.Glob(filepath.Join(dir, "dwp-daemon-*.1"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range theirs {
		want[filepath.Base(file)] = text(t, file)
	}
	golden(t, dir, want)
}
