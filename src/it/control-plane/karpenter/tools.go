//go:build tools

// Package tools pins the Karpenter that makes nodes in the integration tests, with its provider of kwok's nodes.
package tools

import _ "sigs.k8s.io/karpenter/kwok"
