/**
 * Carries out plans, without knowledge of Kubernetes.
 *
 * <p>{@code live.cycle} is the planning loop: {@link io.slotwise.live.cycle.PlanningLoop} observes the cluster, settles
 * what has happened, plans and publishes. {@code live.start} starts gangs when their windows begin ({@link
 * io.slotwise.live.start.GangStarter}). {@code live.record} holds the state of a gang between cycles ({@link
 * io.slotwise.live.record.GangRecord}). {@code live.port} holds the ports that the loop needs of its host, {@code
 * live.settings} the settings of an admin.
 * <pre>
 *  ClusterView + WritesUnderway -> GangLifecycle -> PromiseCheck -> Planner
 *      -> PlanOutcomes -> PlanPublisher -> RecordStore
 *  GangStarter -> DirectStarter (Slotwise binds)
 *              -> PodReleaser (kube-scheduler binds)
 * </pre>
 *
 * <p>Invariant: every write names the version of the record on which its decision is based, so a decision based on an
 * outdated record is refused. All state is in the records, so a replica that takes over continues from them.
 */
@NullMarked
package io.slotwise.live;

import org.jspecify.annotations.NullMarked;
