package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * A replica with token and authority in files, as in a pod, whose API server gets another authority and another key of
 * service accounts. A {@link Seed} selects the file that is mounted first.
 */
@RealControlPlane
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RotatedCredentialsIT {
    /** Seconds after which every proof of life has expired, on a slow machine. */
    private static final int BLIND = 90;

    private final ControlPlane plane;
    private final Path token;
    private final Path authority;

    @AutoClose
    private final SlotwiseProcess slotwise;

    RotatedCredentialsIT(ControlPlane plane) {
        this.plane = plane;
        Installation chart = Installation.install(plane, Map.of("policy.running.turnover", "3s"));
        token = plane.folder().resolve("token");
        authority = plane.folder().resolve("ca.crt");
        writeToken();
        writeAuthority();
        slotwise = chart.slotwise(
                plane.url(),
                Map.of(),
                List.of(
                        "-Dkubernetes.auth.tryKubeConfig=false",
                        "-Dkubernetes.auth.serviceAccount.token=" + token,
                        "-Dkubernetes.certs.ca.file=" + authority,
                        "-Dkubernetes.master=" + plane.url()));
    }

    private void writeToken() {
        plane.write("token", plane.serviceAccountToken(Installation.RELEASE, Installation.RELEASE));
    }

    private void writeAuthority() {
        plane.write("ca.crt", plane.authority());
    }

    @Test
    void remountedCredentialsTakeEffectWithoutARestart() {
        Seed seed = new Seed("rotated");
        Scenario scenario = new Scenario(new Cluster(plane), "rotated").withNodes(4);
        GangSpec before = scenario.gang("before", seed.from(1, 2), 3000, 3000);
        GangSpec after = scenario.gang("after", seed.from(1, 2), 3000, 30);
        slotwise.start();
        new Cluster(plane).submitAsPods(before);
        scenario.awaitWhole(before, 60);

        plane.rotateCredentials();
        Cluster cluster = new Cluster(plane);
        cluster.submitAsPods(after);
        Scenario.within("the replica to say that it sees nothing", BLIND).until(() -> !slotwise.isReady());
        assertThat(cluster.boundPods(after)).isZero();
        for (Runnable mounted : seed.shuffled(List.<Runnable>of(this::writeToken, this::writeAuthority))) {
            assertThat(cluster.boundPods(after)).isZero();
            mounted.run();
            Instant next = Scenario.in(seed.from(0, 5));
            Scenario.awaitClock(next);
        }

        Scenario.within("the gang to be bound", BLIND).until(() -> cluster.boundPods(after) == after.size());
        slotwise.awaitReady();
    }
}
