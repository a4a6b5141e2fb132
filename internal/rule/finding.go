package rule

// Level says how much a finding weighs. Must findings break conformance; the
// others are advice (REQUIREMENTS, introduction).
type Level string

// The three levels, strongest first.
const (
	Must   Level = "must"
	Should Level = "should"
	Info   Level = "info"
)

// Rank orders levels: 0 for must, 1 for should, 2 for info.
func (l Level) Rank() int {
	switch l {
	case Must:
		return 0
	case Should:
		return 1
	}
	return 2
}

// Place is where a finding was made. File is slash-separated and relative to the plan
// folder (or, for findings outside plans, to the repository); "" is the folder
// itself. Line and Column count from 1, columns in characters; 0 means the whole file.
type Place struct {
	File   string `json:"file"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
	Task   int    `json:"task,omitempty"`
}

// Finding is one fact that a rule reports. Findings are values: text, JSON,
// SARIF and JUnit output are handlers of the same list (DESIGN 4).
type Finding struct {
	Rule        string `json:"rule"`
	Level       Level  `json:"level"`
	Requirement string `json:"requirement"`
	Place
	// Message says what is wrong, in lower case, without the place and without a full stop.
	Message string `json:"message"`
	// Hint says what to do about it; "" when the message does.
	Hint string `json:"hint,omitempty"`
	// Count is the number of places a repeated defect was found at; 0 means one.
	Count int `json:"count,omitempty"`
	// Places lists every place of a repeated defect, the first one included; nil for one place.
	Places []Place `json:"places,omitempty"`
}
