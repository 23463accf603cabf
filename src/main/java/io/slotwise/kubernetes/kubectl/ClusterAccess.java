package io.slotwise.kubernetes.kubectl;

import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.LocalPortForward;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.readiness.Readiness;
import io.slotwise.core.gang.GangId;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.crd.v1alpha1.Reservations;
import io.slotwise.live.record.GangRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Access to kubectl's cluster. Slotwise is reached through the API server's proxy of its Service, which has the label
 * {@code app.kubernetes.io/name: slotwise}, as in the chart. The caller needs the permissions {@code get} and {@code
 * create} for {@code services/proxy} there. The API server does not forward the caller's credentials, so their token is
 * sent to Slotwise in a header of its own. Reservations are read as by {@code kubectl get reservations}.
 */
public final class ClusterAccess implements KubectlCluster {
    private static final String NAME_LABEL = "app.kubernetes.io/name";
    private static final String NAME = "slotwise";
    private static final String PLAIN = "http";
    private static final String TLS = "https";
    private static final String TOKEN_HEADER = "Slotwise-Authorization";
    private static final long PATIENCE_MILLIS = 30_000;
    /** The HTTP status for an invalid object. */
    private static final int UNPROCESSABLE = 422;

    private final KubernetesClient client;
    private final Runnable owner;

    /** The token that replaces the kubeconfig's, or null. */
    private final @Nullable String given;

    private final List<LocalPortForward> forwards = new ArrayList<>();
    private @Nullable Service service;

    /** Uses a client, which its owner closes. */
    ClusterAccess(KubernetesClient client, Runnable owner, @Nullable String given) {
        this.client = client;
        this.owner = owner;
        this.given = given;
    }

    /**
     * Opens kubectl's current cluster.
     *
     * @param token the token for Slotwise; null for the one of the kubeconfig
     */
    public static ClusterAccess open(@Nullable String token) {
        KubeconfigClient kubeconfig = KubeconfigClient.asking();
        return new ClusterAccess(kubeconfig.client(), kubeconfig::close, token);
    }

    /**
     * Opens the cluster of a context, with the context's token for Slotwise.
     *
     * @param file the kubeconfig; null for kubectl's
     * @param seconds how long a call may take, if longer than usual
     * @throws IllegalArgumentException if there is no such file or context
     * @throws Unreachable if no client can be made of the context
     */
    public static ClusterAccess open(String context, @Nullable Path file, long seconds) {
        try {
            KubeconfigClient kubeconfig = KubeconfigClient.asking(context, file, seconds);
            return new ClusterAccess(kubeconfig.client(), kubeconfig::close, null);
        } catch (KubernetesClientException e) {
            throw new Unreachable("the context (%s) cannot be used: %s".formatted(context, Unreachable.words(e)));
        }
    }

    /**
     * Returns the kubeconfig's token, also from its exec plugin or token file. Null if it has none, as with client
     * certificates.
     */
    public static @Nullable String kubeconfigToken() {
        return token(Config.autoConfigure(null));
    }

    private static @Nullable String token(Config config) {
        String token = config.getOauthTokenProvider() != null
                ? config.getOauthTokenProvider().getToken()
                : config.getOauthToken() != null ? config.getOauthToken() : config.getAutoOAuthToken();
        return token == null || token.isBlank() ? null : token.strip();
    }

    public @Nullable String token() {
        return given == null ? token(client.getConfiguration()) : given;
    }

    public record Reply(int status, String body) {}

    @Override
    public String namespace() {
        return Objects.requireNonNullElse(client.getNamespace(), "default");
    }

    /**
     * Calls the running Slotwise.
     *
     * @param path such as {@code /api/v1/gangs}
     * @param body JSON to send; null to read
     * @throws Unreachable if there is none, or the API server forwards no call
     */
    public Reply ask(String path, @Nullable String body) {
        Service found = service();
        String port = open(found).getName();
        String url = client.getConfiguration().getMasterUrl().replaceAll("/$", "")
                + "/api/v1/namespaces/%s/services/%s%s:%s/proxy%s"
                        .formatted(
                                found.getMetadata().getNamespace(),
                                port.equals(TLS) ? "https:" : "",
                                found.getMetadata().getName(),
                                port,
                                path);
        HttpRequest.Builder builder =
                client.getHttpClient().newHttpRequestBuilder().uri(url);
        if (body != null) {
            builder.post("application/json", body);
        }
        String token = token();
        if (token != null) {
            builder.header(TOKEN_HEADER, "Bearer " + token);
        }
        HttpResponse<String> answer = send(builder.build());
        if (isOfApiServer(answer)) {
            throw new Unreachable("the API server does not forward to service %s/%s (status %d)"
                    .formatted(
                            found.getMetadata().getNamespace(),
                            found.getMetadata().getName(),
                            answer.code()));
        }
        return new Reply(answer.code(), answer.body() == null ? "" : answer.body());
    }

    /** Returns whether an answer is the API server's own: an object of kind Status. */
    private static boolean isOfApiServer(HttpResponse<String> answer) {
        return !answer.isSuccessful()
                && answer.body() != null
                && answer.body().contains("\"kind\"")
                && answer.body().contains("\"Status\"");
    }

    private HttpResponse<String> send(HttpRequest request) {
        try {
            return client.getHttpClient()
                    .sendAsync(request, String.class)
                    .get(
                            Math.max(PATIENCE_MILLIS, client.getConfiguration().getRequestTimeout()),
                            TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw unreachable(e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException e) {
            throw unreachable(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unreachable(e);
        }
    }

    private Unreachable unreachable(Throwable why) {
        return new Unreachable("the cluster (%s) does not answer: %s"
                .formatted(client.getConfiguration().getMasterUrl(), Unreachable.words(why)));
    }

    private Service service() {
        if (service == null) {
            service = find();
        }
        return service;
    }

    private Service find() {
        try {
            return client.services().inAnyNamespace().withLabel(NAME_LABEL, NAME).list().getItems().stream()
                    .min(Comparator.comparing(
                                    (Service found) -> found.getMetadata().getNamespace())
                            .thenComparing(found -> found.getMetadata().getName()))
                    .orElseThrow(() -> new Unreachable("no service of the cluster (%s) has the label %s=%s"
                            .formatted(client.getConfiguration().getMasterUrl(), NAME_LABEL, NAME)));
        } catch (KubernetesClientException e) {
            throw unreachable(e);
        }
    }

    /**
     * Returns the records of gangs.
     *
     * @param namespace null for all namespaces
     * @throws Unreachable if they cannot be read
     */
    public List<GangRecord> records(@Nullable String namespace) {
        try {
            var reservations = client.resources(Reservation.class);
            return (namespace == null ? reservations.inAnyNamespace() : reservations.inNamespace(namespace))
                    .list().getItems().stream()
                            .filter(reservation -> reservation.gang() != null)
                            .map(Reservations::record)
                            .sorted(Comparator.comparing(GangRecord::gang))
                            .toList();
        } catch (KubernetesClientException e) {
            throw unreachable(e);
        }
    }

    @Override
    public void create(Reservation reservation) {
        try {
            client.resource(reservation).create();
        } catch (KubernetesClientException e) {
            switch (e.getCode()) {
                case HttpURLConnection.HTTP_CONFLICT ->
                    throw new IllegalArgumentException(
                            ("reservation %s/%s already exists: expected another name, or 'kubectl delete "
                                            + "reservation' first")
                                    .formatted(
                                            reservation.getMetadata().getNamespace(),
                                            reservation.getMetadata().getName()),
                            e);
                case HttpURLConnection.HTTP_BAD_REQUEST, HttpURLConnection.HTTP_FORBIDDEN, UNPROCESSABLE ->
                    throw new IllegalArgumentException(
                            "the API server rejected it: "
                                    + (e.getStatus() == null
                                            ? e.getMessage()
                                            : e.getStatus().getMessage()),
                            e);
                default -> throw unreachable(e);
            }
        }
    }

    @Override
    public @Nullable GangRecord record(String namespace, String name) {
        try {
            Reservation foundReservation = client.resources(Reservation.class)
                    .inNamespace(namespace)
                    .withName(name)
                    .get();
            return foundReservation == null || foundReservation.gang() == null
                    ? null
                    : Reservations.record(foundReservation);
        } catch (KubernetesClientException e) {
            throw unreachable(e);
        }
    }

    @Override
    public List<PodController> makersOf(String namespace, String gang) {
        try {
            return new PodControllers(client).of(new GangId(namespace, gang));
        } catch (KubernetesClientException e) {
            throw refusedOrUnreachable(e);
        }
    }

    @Override
    public void delete(PodController controller) {
        try {
            client.genericKubernetesResources(controller.apiVersion(), controller.kind())
                    .inNamespace(controller.namespace())
                    .withName(controller.name())
                    .withPropagationPolicy(DeletionPropagation.BACKGROUND)
                    .delete();
        } catch (KubernetesClientException e) {
            throw refusedOrUnreachable(e);
        }
    }

    private RuntimeException refusedOrUnreachable(KubernetesClientException e) {
        return e.getCode() == HttpURLConnection.HTTP_FORBIDDEN && e.getStatus() != null
                ? new IllegalArgumentException(
                        "the API server rejected it: " + e.getStatus().getMessage(), e)
                : unreachable(e);
    }

    /** Returns the port of board and API, whose name states its protocol. */
    private static ServicePort open(Service found) {
        return found.getSpec().getPorts().stream()
                .filter(one -> PLAIN.equals(one.getName()) || TLS.equals(one.getName()))
                .findFirst()
                .orElseThrow(() -> new Unreachable("service %s has no port named %s or %s"
                        .formatted(found.getMetadata().getName(), PLAIN, TLS)));
    }

    /**
     * Forwards a port of this machine's loopback interface to Slotwise until this is closed.
     *
     * @param port on this machine; 0 for a free one
     * @return its address, such as {@code http://127.0.0.1:8080/}
     * @throws Unreachable if there is no Slotwise
     */
    public URI forward(int port) {
        Service found = service();
        ServicePort open = open(found);
        try {
            Pod pod = runningPod(found);
            LocalPortForward forward = client.pods()
                    .inNamespace(pod.getMetadata().getNamespace())
                    .withName(pod.getMetadata().getName())
                    .portForward(containerPort(open, pod), InetAddress.getLoopbackAddress(), port);
            forwards.add(forward);
            return URI.create("%s://127.0.0.1:%d/".formatted(open.getName(), forward.getLocalPort()));
        } catch (KubernetesClientException | IllegalStateException e) {
            throw unreachable(e);
        }
    }

    private Pod runningPod(Service of) {
        return client
                .pods()
                .inNamespace(of.getMetadata().getNamespace())
                .withLabels(of.getSpec().getSelector())
                .list()
                .getItems()
                .stream()
                .filter(Readiness::isPodReady)
                .min(Comparator.comparing(pod -> pod.getMetadata().getName()))
                .orElseThrow(() -> new Unreachable("no pod of service %s/%s is ready"
                        .formatted(
                                of.getMetadata().getNamespace(),
                                of.getMetadata().getName())));
    }

    /**
     * Returns the container port of the service's target, which may be a number or a name. Forwarding goes to pods,
     * where the service's own port is unknown.
     */
    private static int containerPort(ServicePort open, Pod pod) {
        IntOrString target = open.getTargetPort();
        if (target == null || target.getIntVal() != null) {
            return target == null ? open.getPort() : target.getIntVal();
        }
        return pod.getSpec().getContainers().stream()
                .flatMap(container -> container.getPorts().stream())
                .filter(port -> target.getStrVal().equals(port.getName()))
                .findFirst()
                .map(ContainerPort::getContainerPort)
                .orElseThrow(() -> new Unreachable("pod %s has no port named %s"
                        .formatted(pod.getMetadata().getName(), target.getStrVal())));
    }

    @Override
    public void close() {
        for (LocalPortForward forward : forwards) {
            try {
                forward.close();
            } catch (IOException e) {
                throw new UncheckedIOException("A port that leads into the cluster must close.", e);
            }
        }
        owner.run();
    }
}
