/**
 * Disciplines for a machine of identical processors, as in the logs of parallel machines. A job keeps its processors
 * from its start to its end, and nothing is preempted. The estimate is known, the runtime is not; a job that reaches
 * its estimate is killed.
 */
@NullMarked
package io.slotwise.lab.simulation.processors;

import org.jspecify.annotations.NullMarked;
