/**
 * All that knows Kubernetes. {@code gangs} recognises gangs as other projects write them; {@code manifest} turns
 * objects into the planner's input; {@code crd} is our own resource;
 * {@code watch} sees the cluster and {@code publish} writes to it; {@code extender} and {@code bind} answer kube-scheduler.
 */
@NullMarked
package io.slotwise.kubernetes;

import org.jspecify.annotations.NullMarked;
