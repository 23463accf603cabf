//go:build tools

// Package tools pins the controller of JobSets in the integration tests.
package tools

import _ "sigs.k8s.io/jobset"
