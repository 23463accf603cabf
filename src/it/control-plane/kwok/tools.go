//go:build tools

// Package tools pins the kwok that plays the kubelets in the integration tests.
package tools

import _ "sigs.k8s.io/kwok/cmd/kwok"
