package io.slotwise.web.extender;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.slotwise.live.cycle.Replica;
import io.vertx.core.Vertx;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/**
 * Opens the ports for kube-scheduler: one on loopback for the kube-scheduler in the pod, with the certificate of {@link
 * PodKeys}, and one on the network for others, with certificates of an authority. A demo has no kube-scheduler and
 * opens none, so that no misdirected call reaches a real cluster.
 */
@Singleton
public final class ExtenderPorts {
    private static final Logger LOG = Logger.getLogger(ExtenderPorts.class);
    private static final String POD_KEYS = "slotwise.extender.pod.tls";
    private static final String POD_PORT = "slotwise.extender.pod.port";
    private static final String SCHEDULER_KEYS = "slotwise.extender.pod.scheduler-keys";
    private static final String KEY_LIFETIME = "slotwise.extender.pod.key-lifetime";
    private static final String KEYS = "slotwise.extender.tls";
    private static final String NAMES = "slotwise.extender.client-names";
    private static final String PORT = "slotwise.extender.port";
    private static final String REREAD = "slotwise.extender.reread";
    private static final int AFTER_ANSWERS = Interceptor.Priority.LIBRARY_AFTER;

    private final Replica replica;
    private final Settings settings;
    private final Pod pod;
    private final List<ExtenderPort> doors = new ArrayList<>();

    @Singleton
    static final class Settings {
        private final Optional<Path> keys;
        private final List<String> names;
        private final int port;
        private final Duration reread;
        private final String address;

        Settings(
                @ConfigProperty(name = KEYS) Optional<Path> keys,
                @ConfigProperty(name = NAMES) Optional<List<String>> names,
                @ConfigProperty(name = PORT) int port,
                @ConfigProperty(name = REREAD) Duration reread,
                @ConfigProperty(name = "quarkus.http.host") String address) {
            this.keys = keys;
            this.names = List.copyOf(names.orElse(List.of()));
            this.port = port;
            this.reread = reread;
            this.address = address;
            if (!reread.isPositive()) {
                throw new IllegalArgumentException(
                        "%s (%s) is not an interval for reloading certificates: expected a duration such as 30s"
                                .formatted(REREAD, reread));
            }
            if (keys.isPresent() == this.names.isEmpty()) {
                throw new IllegalArgumentException(
                        "%s (%s) and %s (%s) belong together: expected both, or none; %s is a folder with %s, %s and %s"
                                .formatted(
                                        KEYS,
                                        keys.map(Path::toString).orElse(""),
                                        NAMES,
                                        String.join(", ", this.names),
                                        KEYS,
                                        KeyFolder.CERTIFICATE,
                                        KeyFolder.KEY,
                                        KeyFolder.TRUSTED));
            }
        }
    }

    @Singleton
    static final class Pod {
        private final Optional<Path> keys;
        private final int port;
        private final Optional<Path> schedulerKeys;
        private final Duration lifetime;
        private final boolean throughKubeScheduler;

        Pod(
                @ConfigProperty(name = POD_KEYS) Optional<Path> keys,
                @ConfigProperty(name = POD_PORT) int port,
                @ConfigProperty(name = SCHEDULER_KEYS) Optional<Path> schedulerKeys,
                @ConfigProperty(name = KEY_LIFETIME) Duration lifetime,
                @ConfigProperty(name = "slotwise.kube-scheduler") boolean throughKubeScheduler) {
            this.keys = keys;
            this.port = port;
            this.schedulerKeys = schedulerKeys;
            this.lifetime = lifetime;
            this.throughKubeScheduler = throughKubeScheduler;
            if (!lifetime.isPositive()) {
                throw new IllegalArgumentException(
                        "%s (%s) is not the lifetime of a key: expected a duration such as 24h"
                                .formatted(KEY_LIFETIME, lifetime));
            }
        }
    }

    ExtenderPorts(Replica replica, Settings settings, Pod pod) {
        this.replica = replica;
        this.settings = settings;
        this.pod = pod;
    }

    void open(@Observes StartupEvent event, Vertx vertx, ExtenderVerbs verbs) {
        if (!replica.extendsScheduler()) {
            return;
        }
        // The folder trusts the certificate of a single client.
        pod.keys.ifPresent(folder -> {
            ExtenderPort port = ExtenderPort.open(
                    vertx,
                    verbs,
                    new ExtenderPort.Opened(PodKeys.LOOPBACK, pod.port, folder, settings.reread, _ -> true));
            doors.add(port);
            pod.schedulerKeys.ifPresent(client -> new KeyRenewal(
                            folder,
                            client,
                            new KeyRenewal.Plan(pod.lifetime, KeyRenewal.overlap(pod.lifetime), InstantSource.system()),
                            port)
                    .run(vertx));
        });
        ExtenderClients clients = new ExtenderClients(settings.names);
        settings.keys.ifPresent(folder -> doors.add(ExtenderPort.open(
                vertx,
                verbs,
                new ExtenderPort.Opened(settings.address, settings.port, folder, settings.reread, clients::knows))));
        if (doors.isEmpty() && pod.throughKubeScheduler) {
            LOG.warnf(
                    "no kube-scheduler can call Slotwise, and pods that need one cannot start; expected %s "
                            + "or %s, or slotwise.kube-scheduler=false",
                    POD_KEYS, KEYS);
        }
    }

    /** Runs late, after waiting calls were answered. */
    void close(@Observes @Priority(AFTER_ANSWERS) ShutdownEvent event) {
        doors.forEach(ExtenderPort::close);
        doors.clear();
    }

    /** Returns the open ports: the pod's first, then the one on the network. */
    public List<Integer> ports() {
        return doors.stream().map(ExtenderPort::port).toList();
    }
}
