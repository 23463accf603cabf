/**
 * All that knows Kubernetes. {@code gangs} recognises gangs as other projects write them; {@code manifest} turns
 * objects into the planner's input; {@code crd} is our own resource;
 * {@code watch} sees the cluster and {@code publish} writes to it; {@code bind} starts gangs; {@code extender} answers
 * kube-scheduler about the pods that go through it. {@link io.slotwise.kubernetes.CallQueue} puts the calls to the API
 * server in order.
 */
@NullMarked
package io.slotwise.kubernetes;

import org.jspecify.annotations.NullMarked;
