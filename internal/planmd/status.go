package planmd

// StatusWord reads the state that a prose status claims, in any of PD-11's languages.
func StatusWord(value string) LogState { return logState(value) }

// Placeholder reports whether a text has no words of its own (PD-5).
func Placeholder(text string) bool { return placeholder(text) }
