/**
 * The real control plane, and the scenarios that run on it.
 *
 * <p>{@link io.slotwise.it.ControlPlane} starts etcd, kube-apiserver, kube-controller-manager and kwok on loopback,
 * from the programs that {@code src/it/control-plane/build} makes. {@link io.slotwise.it.WorkloadController} adds the
 * controllers of JobSets and LeaderWorkerSets. {@link io.slotwise.it.KubeScheduler} and {@link
 * io.slotwise.it.SlotwiseProcess} join them, and can be killed and restarted. No container runs: kwok simulates the
 * kubelets, and a pod ends after the time in its annotation {@code it.slotwise.io/runs-for}.
 *
 * <p>Runs are judged by the API server's own record. {@link io.slotwise.it.AuditLog} has every write of pods, bindings,
 * nodes and reservations with microseconds, and {@link io.slotwise.it.RunChecker} checks these against the contract
 * without any code of the program. {@link io.slotwise.it.Prometheus}, Prometheus' own query engine on scraped metrics,
 * judges dashboards and alerts. Only {@link io.slotwise.it.RealControlPlane} needs JUnit, and the demo uses the same
 * classes.
 */
@NullMarked
package io.slotwise.it;

import org.jspecify.annotations.NullMarked;
