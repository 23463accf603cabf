/**
 * How a plan becomes true. Nothing here knows Kubernetes.
 *
 * <p>{@code live.cycle} is the planning loop: {@link io.slotwise.live.cycle.PlanningLoop} looks at the cluster,
 * settles what has happened, plans and publishes. {@code live.start} starts gangs when their windows come ({@link
 * io.slotwise.live.start.GangStarter}). {@code live.record} is what is remembered of a gang between cycles ({@link
 * io.slotwise.live.record.GangRecord}), {@code live.port} what the loop needs of its host, {@code live.settings} what
 * an admin may set.
 *
 * <pre>
 *  ClusterView + WritesUnderway -> GangLifecycle -> PromiseCheck -> Planner
 *      -> PlanOutcomes -> PlanPublisher -> RecordStore
 *  GangStarter -> DirectStarter (Slotwise binds)
 *              -> PodReleaser (kube-scheduler binds)
 * </pre>
 *
 * <p>Invariant: every write names the version of the record that it was decided from, so a decision made from an old
 * picture is refused instead of carried out. All memory lies in the records; a replica that takes over goes on from
 * there.
 */
@NullMarked
package io.slotwise.live;

import org.jspecify.annotations.NullMarked;
