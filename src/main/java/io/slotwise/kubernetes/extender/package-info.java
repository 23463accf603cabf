/**
 * kube-scheduler's requests to its extender about pods that go through it: the allowed nodes ({@code filter}), the
 * preferred ones ({@code prioritize}), and the allowed evictions ({@code preempt}). All three are functions of the
 * known reservations. They write nothing and wait for nothing, because kube-scheduler may ask several times for one
 * pod. {@code bind} waits and writes, and is in {@link io.slotwise.kubernetes.bind}. Pods that Slotwise binds itself
 * never come here.
 *
 * <p>The records are the wire format of {@code k8s.io/kube-scheduler/extender/v1}: Go's field names, with nothing
 * omitted.
 */
@NullMarked
package io.slotwise.kubernetes.extender;

import org.jspecify.annotations.NullMarked;
