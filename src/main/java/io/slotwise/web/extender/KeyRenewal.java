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
 * Gives the pod's kube-scheduler another key every so often, so that who has read its key once does not have it for the
 * pod's life. kube-scheduler reads its key and certificate with every new connection; what it trusts it reads only as
 * it starts, so the server keeps its own key as long as the pod.
 *
 * <ol>
 *   <li>The door trusts the new certificate beside the old one.
 *   <li>kube-scheduler gets the new key. Connections by the old one are asked to end: calls on them are still answered.
 *   <li>After {@link #OVERLAP} the door trusts the new certificate alone, and connections by others are cut.
 * </ol>
 *
 * <p>A process that is ended in the middle of this begins it anew at the next start: a file that is not there when
 * nothing is under way says so.
 *
 * @param slotwise the folder of the door
 * @param kubeScheduler the folder of its client
 */
record KeyRenewal(Path slotwise, Path kubeScheduler, Plan plan, ExtenderPort port) {
    /** How long both keys count: longer than a call of kube-scheduler waits. */
    static final Duration OVERLAP = Duration.ofSeconds(60);

    private static final Logger LOG = Logger.getLogger(KeyRenewal.class);
    private static final Duration LOOK = Duration.ofSeconds(30);
    private static final String UNDER_WAY = "renewing";

    /**
     * How often it is done.
     *
     * @param lifetime of a key
     * @param overlap how long the one before it counts
     */
    record Plan(Duration lifetime, Duration overlap, InstantSource clock) {
        Plan {
            if (!lifetime.isPositive()) {
                throw new IllegalArgumentException("The lifetime of a key (%s) must be positive.".formatted(lifetime));
            }
        }
    }

    /** How long a key counts after it was renewed: no longer than half of the next one's life. */
    static Duration overlap(Duration lifetime) {
        Duration half = lifetime.dividedBy(2);
        return half.compareTo(OVERLAP) < 0 ? half : OVERLAP;
    }

    /** Looks after the keys from now on. */
    void run(Vertx vertx) {
        // The process before this one may have ended before the old key did.
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
     * Whether a key has lived for long enough, or a renewal was left unfinished. A clock that was set back makes
     * nothing younger than it can be.
     */
    boolean isDue() throws IOException {
        Instant made = Files.getLastModifiedTime(kubeScheduler.resolve(KeyFolder.CERTIFICATE))
                .toInstant();
        Instant now = plan.clock().instant();
        return Files.exists(kubeScheduler.resolve(UNDER_WAY))
                || made.isAfter(now.plus(plan.lifetime()))
                || !now.isBefore(made.plus(plan.lifetime()));
    }

    /** Makes another key and hands it over; the one before it still counts. */
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

    /** From now on the certificate that kube-scheduler has counts alone, unless there is none of a whole pair. */
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
