package io.slotwise.web.extender;

import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jboss.logging.Logger;

/**
 * Renews the key of the pod's kube-scheduler regularly, so that a key that was read once is not valid for the pod's
 * life. Every new connection of kube-scheduler uses the current key and certificate, but its trusted certificate is
 * only read at its start. So the server keeps its own key as long as the pod.
 * <ol>
 * <li>The port trusts the new certificate in addition to the old one.
 * <li>kube-scheduler gets the new key. Connections with the old one are shut down: their running calls are answered.
 * <li>After {@link #OVERLAP} the port trusts only the new certificate, and other connections are closed.
 * </ol>
 *
 * <p>If the process ends in the middle, the next start begins again: a marker file exists as long as a renewal is in
 * progress.
 *
 * @param slotwise the folder of the port
 * @param kubeScheduler the folder of its client
 */
record KeyRenewal(Path slotwise, Path kubeScheduler, Plan plan, ExtenderPort port) {
    /** The time for which both keys are valid: longer than a call of kube-scheduler waits. */
    static final Duration OVERLAP = Duration.ofSeconds(60);

    private static final Logger LOG = Logger.getLogger(KeyRenewal.class);
    private static final Duration LOOK = Duration.ofSeconds(30);
    private static final String UNDER_WAY = "renewing";

    /** The lifetime of a key, and how long the previous one stays valid. */
    record Plan(Duration lifetime, Duration overlap, InstantSource clock) {
        Plan {
            if (!lifetime.isPositive()) {
                throw new IllegalArgumentException("The lifetime of a key (%s) must be positive.".formatted(lifetime));
            }
        }
    }

    /** Returns how long a key stays valid after its renewal: at most half of the next one's life. */
    static Duration overlap(Duration lifetime) {
        Duration half = lifetime.dividedBy(2);
        return half.compareTo(OVERLAP) < 0 ? half : OVERLAP;
    }

    void run(Vertx vertx) {
        // The previous process may have ended before the old key became invalid.
        forgetLater(vertx);
        long look = Math.min(LOOK.toMillis(), Math.max(1, plan.lifetime().toMillis() / 4));
        vertx.setPeriodic(1, look, _ -> vertx.executeBlocking(() -> look(vertx)));
    }

    private synchronized boolean look(Vertx vertx) {
        try {
            if (isDue()) {
                renew();
                forgetLater(vertx);
                return true;
            }
        } catch (IOException | UncheckedIOException e) {
            LOG.warnf("the key of the pod's kube-scheduler was not renewed and stays in use: %s", e.getMessage());
        }
        return false;
    }

    private void forgetLater(Vertx vertx) {
        vertx.setTimer(Math.max(1, plan.overlap().toMillis()), _ -> vertx.executeBlocking(this::forgetOld));
    }

    /**
     * Returns whether a key has reached its lifetime, or a renewal was interrupted. After the clock was set back, a key
     * from too far in the future counts as old.
     */
    boolean isDue() throws IOException {
        Instant created = Files.getLastModifiedTime(kubeScheduler.resolve(KeyFolder.CERTIFICATE))
                .toInstant();
        Instant now = plan.clock().instant();
        return Files.exists(kubeScheduler.resolve(UNDER_WAY))
                || created.isAfter(now.plus(plan.lifetime()))
                || !now.isBefore(created.plus(plan.lifetime()));
    }

    /** Makes a new key and hands it over. The previous one stays valid. */
    void renew() throws IOException {
        Path mark = kubeScheduler.resolve(UNDER_WAY);
        if (!Files.exists(mark)) {
            Files.createFile(mark);
        }
        SelfSigned next = PodKeys.client();
        String old = Files.readString(kubeScheduler.resolve(KeyFolder.CERTIFICATE));
        PodKeys.put(slotwise.resolve(KeyFolder.TRUSTED), next.certificate() + old);
        port.reread();
        PodKeys.put(kubeScheduler.resolve(KeyFolder.KEY), next.key());
        PodKeys.put(kubeScheduler.resolve(KeyFolder.CERTIFICATE), next.certificate());
        Files.delete(mark);
        port.leave(connection -> isBy(connection, next.certificate()), plan.overlap());
        LOG.info("the key of the pod's kube-scheduler was renewed");
    }

    /** Makes the certificate of kube-scheduler the only trusted one, unless a renewal is incomplete. */
    private synchronized boolean forgetOld() {
        try {
            String certificate = Files.readString(kubeScheduler.resolve(KeyFolder.CERTIFICATE));
            if (Files.exists(kubeScheduler.resolve(UNDER_WAY))) {
                return false;
            }
            PodKeys.put(slotwise.resolve(KeyFolder.TRUSTED), certificate);
            port.reread();
            port.cut(connection -> isBy(connection, certificate));
            return true;
        } catch (IOException | UncheckedIOException e) {
            LOG.warnf("the previous key of the pod's kube-scheduler is still accepted: %s", e.getMessage());
            return false;
        }
    }

    private static boolean isBy(Certificate shown, String certificate) {
        return SelfSigned.pem(shown).equals(certificate);
    }
}
