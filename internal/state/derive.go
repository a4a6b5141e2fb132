package state

// Derive is a plan's status as it follows from how many of its tasks have each status, and from whether a blocker stands (PS-17).
func Derive(tasks map[Status]int, blocked bool) Status {
	total := 0
	for _, n := range tasks {
		total += n
	}
	switch {
	case blocked || tasks[Blocked] > 0:
		return Blocked
	case total > 0 && tasks[Completed] == total:
		return Completed
	case tasks[Pending] == total:
		return Pending
	}
	return InProgress
}

// Derived is what follows from the entries of a state: its status, and how many tasks are completed (PS-17).
func (s *State) Derived() (status Status, completed int) {
	tasks := map[Status]int{}
	for i := range s.Tasks {
		tasks[s.Tasks[i].Status]++
	}
	return Derive(tasks, s.Blocked != nil), tasks[Completed]
}
