/** Workloads as Kubernetes manifests. */
@NullMarked
package io.slotwise.lab.manifest;

import org.jspecify.annotations.NullMarked;
