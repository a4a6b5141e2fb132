package cli

import "github.com/deepworkplan/dwp/internal/agent"

// STAND-IN until the configuration is read.
func (a *app) config() (*agent.Config, error) { return agent.Defaults(), nil }
