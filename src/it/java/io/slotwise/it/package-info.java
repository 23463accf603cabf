/**
 * The real control plane, and the scenarios that run on it.
 *
 * <p>{@link io.slotwise.it.ControlPlane} starts etcd, kube-apiserver, kube-controller-manager and kwok on loopback,
 * from the programs that {@code src/it/control-plane/build} makes; {@link io.slotwise.it.WorkloadController} adds the
 * controllers of JobSets and LeaderWorkerSets. {@link io.slotwise.it.KubeScheduler} and {@link
 * io.slotwise.it.SlotwiseProcess} join it, and can be killed and started again. No container runs: kwok plays the
 * kubelets, and a pod ends after the time that its annotation {@code it.slotwise.io/runs-for} gives.
 *
 * <p>What happened is judged from the API server's own record: {@link io.slotwise.it.AuditLog} has every write of pods,
 * bindings, nodes and reservations with microseconds, and {@link io.slotwise.it.RunChecker} holds it against the
 * contract without any code of the program. What dashboards and alerts make of the metrics is judged by {@link
 * io.slotwise.it.Prometheus}, its own query engine over what was scraped. None of this needs JUnit but {@link
 * io.slotwise.it.RealControlPlane}; the demo runs on the same classes.
 */
@NullMarked
package io.slotwise.it;

import org.jspecify.annotations.NullMarked;
