// Command dwpd has what dwp does not link: the queue of unattended turns, which needs a database.
package main

import (
	"os"

	"github.com/deepworkplan/dwp/internal/cli"
	"github.com/deepworkplan/dwp/internal/dcli"
)

func main() {
	os.Exit(dcli.Main(os.Args[1:], cli.OSEnv()))
}
