package io.slotwise.it;

import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.slotwise.testing.Loopback;
import java.util.List;
import java.util.Map;

/**
 * The kubelet of one node as far as the API server calls it: port forwarding to a port of the pods of one namespace
 * leads to this machine. It is a kwok of its own that manages no node. The node accepts no other pods.
 */
final class Kubelet {
    private static final String NODE = "kubelet";

    private final ControlPlane plane;

    /**
     * Starts the kubelet.
     *
     * @param namespace of the pods
     * @param port of the pods
     * @param here the loopback port of this machine to which connections lead
     */
    Kubelet(ControlPlane plane, String namespace, int port, int here) {
        this.plane = plane;
        int own = Loopback.freePort();
        String config = plane.write(
                        "kubelet.yaml", ControlPlane.resource("stages.yaml") + """
                ---
                apiVersion: kwok.x-k8s.io/v1alpha1
                kind: ClusterPortForward
                metadata: {name: here}
                spec:
                  selector: {matchNamespaces: [%s]}
                  forwards:
                  - {ports: [%d], target: {address: 127.0.0.1, port: %d}}
                """.formatted(namespace, port, here))
                .toString();
        String certificate = plane.folder().resolve("certs/apiserver").toString();
        plane.run(
                "kubelet",
                List.of(
                        plane.program("kwok").toString(),
                        "--kubeconfig=" + plane.adminKubeconfig(),
                        "--manage-nodes-with-label-selector=it.slotwise.io/managed-by=nobody",
                        "--config=" + config,
                        "--server-address=127.0.0.1:" + own,
                        "--tls-cert-file=" + certificate + ".crt",
                        "--tls-private-key-file=" + certificate + ".key"),
                Map.of());
        plane.client().resource(node(own)).create();
    }

    private static Node node(int port) {
        return new NodeBuilder()
                .withNewMetadata()
                .withName(NODE)
                .addToLabels("slotwise.io/price", "0")
                .endMetadata()
                .withNewSpec()
                .withUnschedulable(true)
                .endSpec()
                .withNewStatus()
                .addToAllocatable("pods", new Quantity("10"))
                .addToCapacity("pods", new Quantity("10"))
                .addNewAddress("127.0.0.1", "InternalIP")
                .withNewDaemonEndpoints()
                .withNewKubeletEndpoint(port)
                .endDaemonEndpoints()
                .endStatus()
                .build();
    }

    /** Binds a pod to this node, where it runs at once. */
    void take(Pod pod) {
        String namespace = pod.getMetadata().getNamespace();
        plane.client()
                .bindings()
                .inNamespace(namespace)
                .resource(new BindingBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName(pod.getMetadata().getName())
                        .endMetadata()
                        .withNewTarget()
                        .withApiVersion("v1")
                        .withKind("Node")
                        .withName(NODE)
                        .endTarget()
                        .build())
                .create();
    }
}
