package turn

import (
	"strings"

	"github.com/deepworkplan/dwp/internal/runner"
)

// clean is a text without secrets (PS-7).
func (k *taking) clean(text string) string { return runner.MaskText(text, k.secrets()) }

// mask takes secrets out of what a judgement quotes: names of files, commands of gates, words of a plan. Records are plain files in a
// repository; and a blocker that quotes a secret would be refused, so that the plan went on (PS-7, UN-3).
func (k *taking) mask(j *Judgement) {
	for i := range j.Findings {
		j.Findings[i].Message = k.clean(j.Findings[i].Message)
	}
	for _, list := range [][]string{j.Gained.Gates, j.Surface.Planned, j.Surface.Declared, j.Surface.Changed, j.Surface.Outside} {
		if text := strings.Join(list, "\n"); k.clean(text) == text { // as most are, with hundreds of names
			continue
		}
		for i := range list {
			list[i] = k.clean(list[i])
		}
	}
	j.Stop = k.masked(j.Stop)
}

// masked is a stop without secrets, each text one clean line.
func (k *taking) masked(s *Stop) *Stop {
	if s == nil {
		return nil
	}
	stop := *s
	stop.Reason, stop.Needs = line(k.clean(s.Reason)), line(k.clean(s.Needs))
	return &stop
}
