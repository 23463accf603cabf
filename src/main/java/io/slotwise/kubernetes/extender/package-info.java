/**
 * What kube-scheduler asks its extender about the pods that need it, in its own words: which of these nodes ({@code
 * filter}), which rather ({@code prioritize}), and whom may this pod evict ({@code preempt}). All three are functions
 * of the reservations as they are known here: they write nothing and wait for nothing, because kube-scheduler may ask
 * several times for one pod. {@code bind} waits and writes; it is in {@link io.slotwise.kubernetes.bind}. Pods that
 * Slotwise binds itself never come here.
 *
 * <p>The records are the wire format of {@code k8s.io/kube-scheduler/extender/v1}: Go's field names, nothing omitted.
 */
@NullMarked
package io.slotwise.kubernetes.extender;

import org.jspecify.annotations.NullMarked;
