//go:build tools

// Package tools pins the helm that renders and lints the chart.
package tools

import _ "helm.sh/helm/v4/cmd/helm"
