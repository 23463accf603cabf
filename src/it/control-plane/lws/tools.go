//go:build tools

// Package tools pins the controller of LeaderWorkerSets in the integration tests.
package tools

import _ "sigs.k8s.io/lws/cmd"
