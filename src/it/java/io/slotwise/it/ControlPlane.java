package io.slotwise.it;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.slotwise.testing.Loopback;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A real Kubernetes control plane on loopback: etcd, kube-apiserver and, unless left out, kube-controller-manager and
 * kwok.
 *
 * <p>Ports are free ports, the store is a temporary folder, and {@link #audit()} has every write of interest. {@link
 * #start} returns when the API server is ready, after about four seconds. {@link #close()} ends exactly the programs
 * that were started here. Logs stay in {@code target/it-logs/NAME}.
 */
public final class ControlPlane implements AutoCloseable {
    /** The user of {@link #client()}, a member of system:masters. */
    public static final String ADMIN = "admin";

    /** The audit policy of most tests. */
    static final String AUDIT = "audit-policy.yaml";

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final InstantSource clock = InstantSource.system();
    private final String name;
    private final List<String> featureGates;
    private final String audit;
    private final Path folder;
    private final Path logs;
    private final Path programs;
    private final int apiPort = Loopback.freePort();
    private final List<RunningProgram> running = new ArrayList<>();
    private final Map<String, KubernetesClient> clients = new LinkedHashMap<>();
    private String etcd = "";

    private ControlPlane(String name, List<String> featureGates, String audit) {
        this.name = name;
        this.featureGates = featureGates;
        this.audit = audit;
        this.logs = ProjectFiles.logs(name);
        this.programs = ProjectFiles.programs();
        try {
            this.folder = Files.createTempDirectory("slotwise-control-plane-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts all programs. {@code name} is the folder of their logs. */
    public static ControlPlane start(String name) {
        return start(name, List.of(), AUDIT);
    }

    static ControlPlane start(String name, List<String> featureGates, String audit) {
        return start(new ControlPlane(name, featureGates, audit), plane -> {
            plane.startControllerManager();
            plane.startKwok();
        });
    }

    /** Starts a control plane without kube-controller-manager: pods run and end, but no Job makes pods. */
    public static ControlPlane startWithoutControllers(String name) {
        return start(new ControlPlane(name, List.of(), AUDIT), ControlPlane::startKwok);
    }

    /**
     * Starts a control plane for load tests, without kube-controller-manager. Its audit log costs the API server
     * little: user, request and time, including reads, and hardly any bodies.
     */
    public static ControlPlane startForLoad(String name, List<String> featureGates) {
        return start(new ControlPlane(name, featureGates, "audit-load.yaml"), ControlPlane::startKwok);
    }

    /** Starts only etcd and kube-apiserver, with these feature gates: no pod ever runs, no Job makes pods. */
    public static ControlPlane startBare(String name, String... featureGates) {
        return start(new ControlPlane(name, List.of(featureGates), AUDIT), plane -> {});
    }

    private static ControlPlane start(ControlPlane plane, Consumer<ControlPlane> more) {
        try {
            plane.writeCredentials();
            plane.startApiServer(plane.startEtcd());
            plane.awaitReady();
            more.accept(plane);
            return plane;
        } catch (RuntimeException e) {
            plane.close();
            throw e;
        }
    }

    /** The address of the API server itself, without a proxy. */
    public String url() {
        return "https://127.0.0.1:" + apiPort;
    }

    /** The argument that enables the feature gates of the API server, the controllers and kube-scheduler. */
    List<String> featureGates() {
        return featureGates.isEmpty()
                ? List.of()
                : List.of("--feature-gates="
                        + featureGates.stream().map(gate -> gate + "=true").collect(Collectors.joining(",")));
    }

    /** The API server's port on 127.0.0.1. */
    public int port() {
        return apiPort;
    }

    public Path logs() {
        return logs;
    }

    /** A folder for files, which is deleted with the control plane. */
    public Path folder() {
        return folder;
    }

    public Path program(String program) {
        return programs.resolve(program);
    }

    /** The objects of a built program's module: definitions and, of some, webhooks. */
    List<HasMetadata> manifests(String program) {
        return objects(program(program + "-manifests"));
    }

    private List<HasMetadata> objects(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            List<HasMetadata> objects = new ArrayList<>();
            for (Path file : files.sorted().toList()) {
                try (InputStream in = Files.newInputStream(file)) {
                    objects.addAll(client().load(in).items());
                }
            }
            return objects;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Installs the definitions of a program's module, and waits until their kinds are served. */
    public void define(String program) {
        define(program(program + "-manifests"));
    }

    /** Installs the definitions in a folder, and waits until their kinds are served. */
    public void define(Path folder) {
        List<CustomResourceDefinition> definitions = objects(folder).stream()
                .filter(CustomResourceDefinition.class::isInstance)
                .map(CustomResourceDefinition.class::cast)
                .toList();
        definitions.forEach(definition -> client().resource(definition).create());
        await(
                "the kinds of " + folder + " to be served",
                () -> definitions.stream()
                        .allMatch(definition -> ConventionsIT.isServed(Objects.requireNonNull(
                                client().resource(definition).get()))));
    }

    public AuditLog audit() {
        return new AuditLog(logs.resolve("audit.jsonl"));
    }

    /** A client with all rights, which is closed with the control plane. */
    public KubernetesClient client() {
        return clients.computeIfAbsent(ADMIN, user -> clientWithToken(token(user)));
    }

    /** A client as the service account {@code namespace}/{@code account}, with exactly the account's rights. */
    public KubernetesClient clientAs(String namespace, String account) {
        return clients.computeIfAbsent(
                namespace + "/" + account, key -> clientWithToken(serviceAccountToken(namespace, account)));
    }

    /** A client with a token. The caller closes it. */
    KubernetesClient clientWithToken(String token) {
        Config config = new ConfigBuilder(Config.empty())
                .withMasterUrl(url())
                .withCaCertFile(certificate().toString())
                .withOauthToken(token)
                .withRequestTimeout((int) PATIENCE.toMillis())
                .withMaxConcurrentRequests(256)
                .withMaxConcurrentRequestsPerHost(256)
                .build();
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    /** A token of a real service account, valid for a day. */
    public String serviceAccountToken(String namespace, String account) {
        return serviceAccountToken(namespace, account, List.of());
    }

    /** A token for audiences, or for the API server itself if there are none. */
    String serviceAccountToken(String namespace, String account, List<String> audiences) {
        var request = new TokenRequestBuilder()
                .withNewSpec()
                .withAudiences(audiences)
                .withExpirationSeconds(Duration.ofDays(1).toSeconds())
                .endSpec()
                .build();
        return Objects.requireNonNull(client().serviceAccounts()
                .inNamespace(namespace)
                .withName(account)
                .tokenRequest(request)
                .getStatus()
                .getToken());
    }

    /** Writes a kubeconfig for a token and returns its path. {@code server} is {@link #url()} or a proxy. */
    public Path kubeconfig(String user, String token, String server) {
        String file =
                "kubeconfig-" + user.replace('/', '-') + "-" + server.substring(server.lastIndexOf(':') + 1) + ".yaml";
        return write(file, """
                apiVersion: v1
                kind: Config
                current-context: it
                clusters: [{name: it, cluster: {server: "%s", certificate-authority: "%s"}}]
                users: [{name: "%s", user: {token: "%s"}}]
                contexts: [{name: it, context: {cluster: it, user: "%s", namespace: default}}]
                """.formatted(server, certificate(), user, token, user));
    }

    public Path adminKubeconfig() {
        return kubeconfig(ADMIN, token(ADMIN), url());
    }

    /** Writes a file into {@link #folder()} atomically: a concurrent reader sees the old or the new content. */
    public Path write(String file, String content) {
        try {
            Path aside = Files.writeString(Files.createTempFile(folder, file, ".part"), content);
            return Files.move(aside, folder.resolve(file), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts another program that ends with the control plane at the latest. */
    public RunningProgram run(String program, List<String> command, Map<String, String> environment) {
        RunningProgram started =
                RunningProgram.start(name + "/" + program, command, environment, logs.resolve(program + ".log"));
        running.add(started);
        return started;
    }

    /** The last started program of this name, such as {@code kube-apiserver}. */
    public RunningProgram running(String program) {
        return running.reversed().stream()
                .filter(one -> one.name().equals(name + "/" + program))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public void close() {
        clients.values().forEach(KubernetesClient::close);
        // The store is deleted as well, so the ten seconds of an orderly end would be wasted.
        running.reversed().forEach(RunningProgram::kill);
        deleteFolder();
    }

    private static String token(String user) {
        return "token-of-" + user;
    }

    /** The certificate of the API server for 127.0.0.1, with its authority. Its key is {@code apiserver.key}. */
    Path certificate() {
        return folder.resolve("certs/apiserver.crt");
    }

    /** The present authority of the API server's certificate, PEM. */
    String authority() {
        try {
            return Files.readString(certificate());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String startEtcd() {
        String clients = "http://127.0.0.1:" + Loopback.freePort();
        String peers = "http://127.0.0.1:" + Loopback.freePort();
        runProgram(
                "etcd",
                "--data-dir=" + folder.resolve("etcd"),
                "--unsafe-no-fsync",
                "--log-level=warn",
                "--listen-client-urls=" + clients,
                "--advertise-client-urls=" + clients,
                "--listen-peer-urls=" + peers,
                "--initial-advertise-peer-urls=" + peers,
                "--initial-cluster=default=" + peers);
        return clients;
    }

    private void startApiServer(String store) {
        etcd = store;
        List<String> more = new ArrayList<>(featureGates());
        if (!featureGates.isEmpty()) {
            more.add("--runtime-config=scheduling.k8s.io/v1beta1=true,scheduling.k8s.io/v1alpha3=true");
        }
        runProgram(
                "kube-apiserver",
                more,
                "--etcd-servers=" + store,
                "--cert-dir=" + folder.resolve("certs"),
                "--bind-address=127.0.0.1",
                "--secure-port=" + apiPort,
                "--service-cluster-ip-range=10.0.0.0/24",
                "--service-account-issuer=" + url() + "/",
                "--service-account-key-file=" + folder.resolve("sa.pub"),
                "--service-account-signing-key-file=" + folder.resolve("sa.key"),
                "--authorization-mode=Node,RBAC",
                "--allow-privileged",
                "--token-auth-file=" + folder.resolve("tokens.csv"),
                "--disable-admission-plugins=ServiceAccount,TaintNodesByCondition",
                "--audit-policy-file=" + folder.resolve("audit-policy.yaml"),
                "--audit-log-path=" + logs.resolve("audit.jsonl"),
                "--audit-log-maxsize=2000");
    }

    /**
     * Restarts the API server with another certificate, authority and key of service accounts. All earlier clients and
     * credentials fail, except the administrator's token with a new {@link #client()}. The controllers stay
     * disconnected.
     */
    void rotateCredentials() {
        RunningProgram old = running("kube-apiserver");
        running.remove(old);
        old.kill();
        clients.values().forEach(KubernetesClient::close);
        clients.clear();
        try {
            Files.delete(certificate());
            Files.delete(certificate().resolveSibling("apiserver.key"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        writeCredentials();
        startApiServer(etcd);
        awaitReady();
    }

    private void startControllerManager() {
        runProgram(
                "kube-controller-manager",
                featureGates(),
                "--kubeconfig=" + adminKubeconfig(),
                "--leader-elect=false",
                "--service-account-private-key-file=" + folder.resolve("sa.key"),
                "--root-ca-file=" + certificate(),
                "--secure-port=0",
                "--kube-api-qps=500",
                "--kube-api-burst=1000",
                "--concurrent-job-syncs=20",
                "--controllers=*,-node-lifecycle-controller,-node-ipam-controller,"
                        + "-persistentvolume-attach-detach-controller");
    }

    private void startKwok() {
        Path stages = write("stages.yaml", resource("stages.yaml"));
        runProgram("kwok", "--kubeconfig=" + adminKubeconfig(), "--manage-all-nodes=true", "--config=" + stages);
    }

    private RunningProgram runProgram(String program, String... arguments) {
        return runProgram(program, List.of(), arguments);
    }

    private RunningProgram runProgram(String program, List<String> more, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(program(program).toString());
        command.addAll(more);
        command.addAll(List.of(arguments));
        return run(program, command, Map.of());
    }

    private void awaitReady() {
        await("the API server to be ready", () -> {
            running.forEach(RunningProgram::requireRunning);
            return Files.exists(certificate()) && answersReady();
        });
    }

    private boolean answersReady() {
        try {
            return "ok".equals(client().raw("/readyz"));
        } catch (KubernetesClientException e) {
            return false;
        }
    }

    /** Waits for a condition of the control plane, checking ten times a second. Fails after a minute. */
    void await(String what, BooleanSupplier condition) {
        var end = clock.instant().plus(PATIENCE);
        while (!condition.getAsBoolean()) {
            if (clock.instant().isAfter(end) || Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException(
                        "Waited " + PATIENCE.toSeconds() + " s for " + what + "; the logs are in " + logs + ".");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
        }
    }

    private void writeCredentials() {
        write("tokens.csv", token(ADMIN) + "," + ADMIN + ",1,\"system:masters\"\n");
        write("audit-policy.yaml", resource(audit));
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            KeyPair keys = generator.generateKeyPair();
            write("sa.key", pem("PRIVATE KEY", keys.getPrivate().getEncoded()));
            write("sa.pub", pem("PUBLIC KEY", keys.getPublic().getEncoded()));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String pem(String type, byte[] der) {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        return "-----BEGIN " + type + "-----\n" + body + "\n-----END " + type + "-----\n";
    }

    static String resource(String file) {
        try (InputStream in = Objects.requireNonNull(ControlPlane.class.getResourceAsStream(file), file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void deleteFolder() {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("The folder (" + folder + ") of the control plane could not be removed.", e);
        }
    }
}
