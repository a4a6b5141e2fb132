package cli

import (
	"time"

	"github.com/deepworkplan/dwp/internal/turn"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// STAND-IN until dwp turn is built.
type turnFlags struct {
	lockFlags
	maxTurnTime time.Duration
	observed    bool
}

func (w *turnFlags) register(f *pflag.FlagSet) {
	f.StringVar(&w.agent, "agent", "", "`NAME` of the agent")
	f.StringVar(&w.model, "model", "", "`NAME` of the agent's model")
	f.DurationVar(&w.maxTurnTime, "max-turn-time", 0, "end the agent after this `DURATION`")
	f.BoolVar(&w.observed, "observed", false, "demand that dwp itself saw every gate")
}

func (a *app) turnOf(cmd *cobra.Command, t target, flags turnFlags) (*turn.Turn, func(), error) {
	_, w, err := a.write(cmd, t.Path, flags.lockFlags)
	if err != nil {
		return nil, nil, err
	}
	c, _ := a.config()
	agent, err := c.Adapter(flags.agent)
	if err != nil {
		return nil, nil, err
	}
	return &turn.Turn{Plan: w.Plan, Path: w.path, Agent: agent}, w.close, nil
}
