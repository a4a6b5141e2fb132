// Package dwp is the public library of the Deep Work Plan tool: open a plan, and say what is true of it.
// Everything is read-only.
package dwp
