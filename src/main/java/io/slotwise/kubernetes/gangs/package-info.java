/**
 * The gangs that Slotwise's and other projects' conventions define: the gang of a pod, and the number of pods that must
 * start together.
 *
 * <p>Each {@link io.slotwise.kubernetes.gangs.Convention} reads one project's labels, annotations and fields. {@link
 * io.slotwise.kubernetes.gangs.Conventions} has them in the order of precedence and is the only place that names gangs.
 * The name depends on the pod alone, so all code that sees a pod (the planner's intake, the informers' indexes, the
 * extender) uses the same name, whatever else is known. The size may be stated in another object, which {@link
 * io.slotwise.kubernetes.gangs.GroupObjects} finds; while that object is missing, the gang waits for it. A {@link
 * io.slotwise.kubernetes.gangs.GangSize} also states the minimum of each role, and excludes pods that a Job will not
 * create again. Time limits are read from every object between the pods and their root owners ({@link
 * io.slotwise.kubernetes.gangs.TimeLimit}).
 *
 * <p>To add a convention, add a line in {@code Conventions}, and a class here if a label alone does not name its
 * gangs. If it reads a new kind of object, add a {@link io.slotwise.kubernetes.gangs.GroupKind} and the chart's
 * permission to read it.
 */
@NullMarked
package io.slotwise.kubernetes.gangs;

import org.jspecify.annotations.NullMarked;
