// Command dwp reads Deep Work Plans and says what is true of them.
package main

import (
	"os"

	"github.com/deepworkplan/dwp/internal/cli"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], cli.OSEnv()))
}
