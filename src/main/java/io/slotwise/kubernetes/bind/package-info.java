/**
 * How a gang starts whole or not at all, whichever way its pods come. Pods that Slotwise binds itself are there from
 * the beginning; for every other pod kube-scheduler calls {@code bind}, and the calls of one gang wait at the {@link
 * io.slotwise.kubernetes.bind.GangBarrier}.
 *
 * <pre>
 *  all members here -> the promised second -> last look at nodes and pods, by the watch -> the first pod by name is
 *  bound, with the gang's record in its Binding (if that is refused, no pod is bound) -> every other member is bound at
 *  the same time -> the next cycle writes the record
 * </pre>
 *
 * <p>{@link io.slotwise.kubernetes.bind.ArrivedMembers} is the state of one start, {@link
 * io.slotwise.kubernetes.bind.GangStart} what happens once a gang is whole, {@link
 * io.slotwise.kubernetes.bind.MemberBinding} one pod's binding: with its UID and version as preconditions, and with the
 * questions that an answer leaves open.
 *
 * <p>Invariants: no pod is bound before its gang's record is durable, and none whose UID is not in it. Whatever fails
 * before that write leaves no pod bound. A binding that is refused after it is told to {@link
 * io.slotwise.kubernetes.bind.GangRepair}, which rolls the gang back; what a predecessor left unbound is completed or
 * rolled back.
 */
@NullMarked
package io.slotwise.kubernetes.bind;

import org.jspecify.annotations.NullMarked;
