/**
 * A living cluster on one machine: nodes with real types and prices, gangs that come, end early or late, prices that
 * change and nodes that fail, all in virtual time that passes as fast as the viewer likes.
 *
 * <pre>
 *  Happenings (seeded) -> LivingCluster (all ports of the planning loop, in memory) <-> PlanningLoop, GangStarter
 *                                                     |
 *                                                   Course: steps from event to event, paced by the wall clock
 * </pre>
 *
 * <p>The loop, the life of a gang, the board, the answers and the meters are those of the cluster; only who runs pods
 * is made up. What happens is a pure function of the seed and the number of nodes.
 */
@NullMarked
package io.slotwise.demo;

import org.jspecify.annotations.NullMarked;
