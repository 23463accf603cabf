/**
 * Everything that knows Kubernetes. {@code gangs} recognizes gangs in the formats of other projects. {@code manifest}
 * turns objects into the planner's input. {@code crd} is Slotwise's own resource. {@code watch} reads the cluster and
 * {@code publish} writes to it. {@code bind} starts gangs, and {@code extender} answers kube-scheduler about the pods
 * that go through it. {@link io.slotwise.kubernetes.CallQueue} orders the calls to the API server.
 */
@NullMarked
package io.slotwise.kubernetes;

import org.jspecify.annotations.NullMarked;
