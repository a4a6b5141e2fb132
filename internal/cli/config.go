package cli

import (
	"time"

	"github.com/deepworkplan/dwp/internal/agent"
)

// STAND-IN until the configuration is built.
type standInConfig struct {
	MaxTurns             int
	MaxTime, MaxTurnTime time.Duration
	MaxCost              float64
	Notify               string
	Adapter              *agent.Adapter
}

func (a *app) config() (*standInConfig, error) {
	return &standInConfig{50, 8 * time.Hour, 30 * time.Minute, 20, "", &agent.Adapter{Name: "command"}}, nil
}
