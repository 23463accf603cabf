/**
 * Disciplines for a machine of whole identical processors, as the logs of parallel machines know it: a job takes its
 * processors from its start to its end, no processor is better than another, and nothing is preempted. The estimate is
 * known, the runtime is not; a job that reaches its estimate is killed there.
 */
@NullMarked
package io.slotwise.lab.simulation.processors;

import org.jspecify.annotations.NullMarked;
