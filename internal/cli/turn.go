package cli

// inTurn reports whether the caller is an agent inside an unattended turn (UN-6, LF-7): it claims no person's authority.
func (a *app) inTurn() bool { return a.env.Getenv("DWP_TURN") != "" }
