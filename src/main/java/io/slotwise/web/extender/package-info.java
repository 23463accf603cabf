/**
 * Where kube-scheduler asks. The extender has ports of its own, apart from board and API, and answers only over TLS and
 * only clients that show a certificate: where a call comes from says nothing of who sends it, since {@code kubectl
 * port-forward} and sidecars call from loopback, too.
 *
 * <pre>
 *  ExtenderPorts: for the pod's own kube-scheduler on 127.0.0.1 (PodKeys), for others on the network (ExtenderClients)
 *    -> Door: TLS, the certificate, the path, the bound of the body -> Verbs: SchedulerExtender, GangBarrier
 * </pre>
 */
@NullMarked
package io.slotwise.web.extender;

import org.jspecify.annotations.NullMarked;
