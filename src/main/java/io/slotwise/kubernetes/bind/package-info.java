/**
 * Starts gangs whole or not at all, for every path to a node. Pods that Slotwise binds itself are present from the
 * beginning. For every other pod kube-scheduler calls {@code bind}, and the calls of one gang wait at the {@link
 * io.slotwise.kubernetes.bind.GangBarrier}.
 * <pre>
 *  all members here -> the promised start -> last check of nodes and pods, by the watch -> the first member is bound,
 *  and carries the record with the members' UIDs -> every other member is bound at the same time
 * </pre>
 *
 * <p>{@link io.slotwise.kubernetes.bind.ArrivedMembers} is the state of one start, and {@link
 * io.slotwise.kubernetes.bind.GangStart} executes it once the gang is whole. {@link
 * io.slotwise.kubernetes.bind.MemberBinding} binds one pod, with its UID and version as preconditions, and resolves
 * unclear answers.
 *
 * <p>Invariants: no other pod is bound before the one that carries its gang's record, and no pod whose UID is not in
 * the record. A failure before that binding leaves no pod bound. A binding that is refused later is reported to {@link
 * io.slotwise.kubernetes.bind.GangRepair}, which rolls the gang back. Members that a previous leader left unbound are
 * bound, or the gang is rolled back.
 */
@NullMarked
package io.slotwise.kubernetes.bind;

import org.jspecify.annotations.NullMarked;
