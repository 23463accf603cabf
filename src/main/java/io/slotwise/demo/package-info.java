/**
 * A simulated cluster on one machine, in virtual time of any speed. It has nodes with real types and prices, gangs that
 * end early or late, price changes, and nodes that fail.
 * <pre>
 *  DemoEvents (seeded) -> LivingCluster (all ports of the planning loop, in memory) <-> PlanningLoop, GangStarter
 *                              |
 *                            LivingDemo: steps from event to event; DemoHost: paced by the wall clock
 * </pre>
 *
 * <p>The planning loop, the lifecycle of gangs, the board, the answers and the meters are those of the cluster. Only
 * the execution of pods is simulated. Everything is a pure function of the seed and the number of nodes.
 */
@NullMarked
package io.slotwise.demo;

import org.jspecify.annotations.NullMarked;
