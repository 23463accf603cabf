/**
 * Gangs as Slotwise and other projects write them: which gang a pod belongs to, and how many pods must start together.
 *
 * <p>Each {@link io.slotwise.kubernetes.gangs.Convention} reads one project's labels, annotations and fields.
 * {@link io.slotwise.kubernetes.gangs.Conventions} has them in the order of precedence and is the only place that names
 * gangs: the name follows from the pod alone, so that all code that sees a pod (the planner's intake, the informers'
 * indexes, the extender) comes to the same name, whatever else is known at that moment. The size may stand in another
 * object, which {@link io.slotwise.kubernetes.gangs.GroupObjects} finds; while that is not there the gang waits for it.
 * Which of the pods make the gang whole is part of the {@link io.slotwise.kubernetes.gangs.GangSize}: so many of each
 * role, and none of those that a Job does not make any more. How long the gang may run is asked of every object on the
 * way from its pods to their root owners ({@link io.slotwise.kubernetes.gangs.TimeLimit}).
 *
 * <p>A new convention is a class here and a line in {@code Conventions}; if its figures stand in an object of a new
 * kind, a {@link io.slotwise.kubernetes.gangs.GroupKind} and the chart's right to read it.
 */
@NullMarked
package io.slotwise.kubernetes.gangs;

import org.jspecify.annotations.NullMarked;
