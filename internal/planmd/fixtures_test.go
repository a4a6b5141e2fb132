package planmd

const fullREADME = `# Weather relay

**Standard:** DWP spec 5.0.0
**Approval:** approved
Execution: sequential — one package

## Goal

Relay forecasts to the buses.

## Context

One Go service, ` + "`relay/`" + `.

## Task List

- [x] Task 1: [Read the feed](./1.task_read_feed.md)
- [ ] Task 2: [Final Review](./2.task_final_review.md)

Plan Status: 1/2 completed
`

const liteREADME = `# Weather relay

**Standard:** DWP spec 5.0.0

## Goal

Relay forecasts.

## Task List

- [x] Task 1: Read the feed
- [ ] Task 2: Final Review

Plan Status: 1/2 completed

## Task 1: Read the feed {#task-1}

### Goal

Read it.

### Touched Surface

- Planned: ` + "`feed/`" + `
- Risk class: isolated

### Acceptance Criteria

- [x] parsed

### Validation

` + "```sh\ngo test ./feed\n```" + `

### Completion & Log

- **Status:** completed
- **Skills disposition:** none

## Task 2: Final Review {#task-2}

Depends on: 1

### Goal

Review.

### Completion & Log

Status: pending
`
