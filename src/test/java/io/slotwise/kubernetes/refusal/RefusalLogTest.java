package io.slotwise.kubernetes.refusal;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.authentication.SelfSubjectReviewBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@EnableKubernetesMockClient(https = false)
@SuppressWarnings("NullAway.Init")
class RefusalLogTest {
    private static final ApiCall WRITE = new ApiCall("create", "reservations.slotwise.io", "team", "g");
    private static final Logger LOGGER = Logger.getLogger(RefusalLog.class.getName());

    KubernetesMockServer server;
    KubernetesClient client;

    private final List<String> lines = new ArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            lines.add(line.getLevel() + " " + new SimpleFormatter().formatMessage(line));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };
    private final RefusedCalls calls = new RefusedCalls(
            () -> Instant.parse("2030-01-01T12:00:00Z"),
            new RefusalObserver() {
                @Override
                public void refusing(IntSupplier kinds) {}

                @Override
                public void refused(String what) {}
            },
            Duration.ofSeconds(8));

    @BeforeEach
    void follow() {
        LOGGER.addHandler(handler);
        new RefusalLog(client, Runnable::run).follow(calls);
    }

    @AfterEach
    void leave() {
        LOGGER.removeHandler(handler);
    }

    @Test
    void aRefusalByAPolicyIsOneLineWithTheAccountThePolicyAndWhatToDo() {
        server.expect()
                .post()
                .withPath("/apis/authentication.k8s.io/v1/selfsubjectreviews")
                .andReturn(
                        201,
                        new SelfSubjectReviewBuilder()
                                .withNewStatus()
                                .withNewUserInfo()
                                .withUsername("system:serviceaccount:apps:stranger")
                                .endUserInfo()
                                .endStatus()
                                .build())
                .always();

        for (int i = 0; i < 3; i++) {
            calls.refused(new ApiRefusal(
                    WRITE,
                    403,
                    "reservations.slotwise.io \"g\" is forbidden: ValidatingAdmissionPolicy 'slotwise-records' with "
                            + "binding 'slotwise-records' denied request: Slotwise alone writes the records of gangs"));
        }

        assertThat(lines)
                .singleElement()
                .asString()
                .startsWith("WARN")
                .contains(
                        "(account system:serviceaccount:apps:stranger)",
                        "create reservations.slotwise.io in namespace team",
                        "denied request: Slotwise alone writes the records of gangs",
                        "Maybe run Slotwise as the account of the chart's release (serviceAccount), or change the "
                                + "policy slotwise-records.");
    }

    @Test
    void anUnavailableAccountIsCalledUnknownAndALaterSuccessIsLogged() {
        server.expect()
                .post()
                .withPath("/apis/authentication.k8s.io/v1/selfsubjectreviews")
                .andReturn(500, "")
                .always();

        calls.refused(new ApiRefusal(
                WRITE, 403, "reservations \"g\" is forbidden: exceeded quota: none, requested: count=1"));
        calls.granted(WRITE, WRITE::name);

        assertThat(lines)
                .satisfiesExactly(
                        refused -> assertThat(refused)
                                .contains("(account unknown)", "raise the ResourceQuota none in namespace team"),
                        granted -> assertThat(granted)
                                .endsWith("The API server accepts again: create reservations.slotwise.io in namespace "
                                        + "team"));
    }
}
