/**
 * The calls of kube-scheduler. The extender has ports of its own, apart from board and API. They accept only TLS and
 * only clients with a certificate: the origin of a call proves nothing, because {@code kubectl port-forward} and
 * sidecars call from loopback, too.
 * <pre>
 *  ExtenderPorts: for the pod's own kube-scheduler on 127.0.0.1 (PodKeys), for others on the network (ExtenderClients)
 *    -> ExtenderPort: TLS, certificate, path, size of the body -> ExtenderVerbs: SchedulerExtender, GangBarrier
 * </pre>
 */
@NullMarked
package io.slotwise.web.extender;

import org.jspecify.annotations.NullMarked;
