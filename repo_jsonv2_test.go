//go:build goexperiment.jsonv2

package dwp_test

import "testing"

// TestNotBuiltWithExperimentalJSON is compiled under the experiment only, and fails there (PS-21).
func TestNotBuiltWithExperimentalJSON(t *testing.T) {
	t.Fatal("built with GOEXPERIMENT=jsonv2: unknown fields would be dropped; build without it")
}
