/**
 * How a gang starts whole or not at all. kube-scheduler calls {@code bind} for every pod by itself; the calls of one gang wait
 * at the {@link io.slotwise.kubernetes.bind.GangBarrier} until every member has arrived and the promised second has come.
 *
 * <pre>
 *  arrive ... arrive -> whole -> nodes and pods looked at once more -> the promised second -> Starting becomes Running
 *  (one write with the version that was read; if it conflicts nobody is bound) -> every member is bound at the same time
 * </pre>
 *
 * Whatever fails before that write leaves no pod bound. A binding that is refused after it is told to
 * {@link io.slotwise.kubernetes.bind.GangRepair}.
 */
@NullMarked
package io.slotwise.kubernetes.bind;

import org.jspecify.annotations.NullMarked;
