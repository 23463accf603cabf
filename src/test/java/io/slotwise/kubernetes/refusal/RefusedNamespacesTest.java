package io.slotwise.kubernetes.refusal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.slotwise.core.gang.GangId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The effect of refusals in some namespaces on the others. */
class RefusedNamespacesTest {
    private static final String BINDINGS = "pods/binding";
    private static final String ACCOUNT = "system:serviceaccount:a:b";
    /** A policy's message contains what a user wrote. */
    private static final String DENIED =
            "pods \"secret-%s\" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' "
                    + "denied request: image registry/hidden is not allowed";

    private static final String NO_RIGHT =
            "pods \"secret\" is forbidden: User \"%s\" cannot create resource \"pods/binding\" in the namespace \"%s\"";
    private static final String NO_QUOTA = "exceeded quota: none, requested: pods=1, used: pods=0, limited: pods=0";

    private Instant now = Instant.parse("2030-01-01T12:00:00Z");
    private RefusedCalls refused = remembering(Duration.ofSeconds(8));

    private RefusedCalls remembering(Duration lead) {
        return new RefusedCalls(
                () -> now,
                new RefusalObserver() {
                    @Override
                    public void refusing(IntSupplier kinds) {}

                    @Override
                    public void refused(String what) {}
                },
                lead);
    }

    @Test
    void aNamespaceIsToldNothingOfWhatIsWrittenInTheOthers() {
        refused.actsAs(ACCOUNT);
        for (String namespace : List.of("one", "two", "three")) {
            attempt(binding(namespace, "p"), 403, DENIED.formatted(namespace));
        }

        ApiRefusal held = Objects.requireNonNull(refused.begin(binding("four", "q"), () -> "q"));
        String gang = refused.startRefusal(new GangId("four", "g"), List.of("q"), true, false);
        now = now.plus(CallPause.LONGEST);
        String waiting = refused.startRefusal(new GangId("four", "g"), List.of("q"), true, false);

        assertThat(held.call()).isEqualTo(binding("four", "q"));
        assertThat(List.of(held.message(), String.valueOf(gang), String.valueOf(waiting)))
                .allSatisfy(told -> assertThat(told)
                        .contains("account " + ACCOUNT, "by a policy", "Maybe ask an administrator to run Slotwise as")
                        .doesNotContain("secret", "registry", "one", "two", "three"));
    }

    @Test
    void aNamespaceIsToldItsOwnAnswer() {
        for (String pod : List.of("p", "q")) {
            attempt(binding("one", pod), 403, DENIED.formatted("one"));
        }

        assertThat(refused.startRefusal(new GangId("one", "g"), List.of("r"), true, true))
                .contains("create pods/binding: ", "image registry/hidden is not allowed");
    }

    @ParameterizedTest
    @ValueSource(ints = {403, 422})
    void twoNamespacesThatAreRefusedAlikeKeepNoThirdWaiting(int code) {
        String answer = code == 403 ? DENIED.formatted("one") : "\"x\" is invalid: no";
        attempt(binding("one", "x"), code, answer);
        attempt(binding("two", "x"), code, answer);

        assertThat(attempt(binding("three", "x"), code, answer)).isTrue();
        assertThat(attempt(binding("four", "x"), 201, "")).isFalse();
    }

    @Test
    void anUnrefusedNamespaceTestsTheCallForAll() {
        for (String namespace : List.of("one", "two")) {
            attempt(binding(namespace, "x"), 403, NO_RIGHT.formatted(ACCOUNT, namespace));
        }
        assertThat(attempt(binding("three", "x"), 201, "")).isFalse();
        now = now.plus(CallPause.LONGEST);

        assertThat(attempt(binding("one", "y"), 403, NO_RIGHT.formatted(ACCOUNT, "one")))
                .isFalse();
        assertThat(attempt(binding("three", "x"), 201, "")).isTrue();
        assertThat(attempt(binding("one", "y"), 201, "")).isTrue();
    }

    /** Calls that wait do so for two seconds of real time each. */
    @ParameterizedTest
    @CsvSource({"policy, two", "quota, two", "quota, new"})
    void aNamespaceDoesNotWaitForTheCallsOfOneThatIsRefused(String what, String other) {
        attempt(binding("two", "x"), 201, "");
        attempt(binding("one", "x"), 403, what.equals("quota") ? NO_QUOTA : DENIED.formatted("one"));
        assertThat(refused.begin(binding("one", "y"), () -> "y")).isNull();

        assertTimeoutPreemptively(Duration.ofSeconds(30), () -> {
            for (int i = 0; i < 20; i++) {
                ApiCall call = binding(other.equals("new") ? other + i : other, "p" + i);
                assertThat(refused.begin(call, call::name)).isNull();
            }
        });
    }

    @Test
    void quotasAreToldOfEachNamespace() {
        List<String> told = new ArrayList<>();
        refused.tell(refusal -> told.add(refusal.call().namespace()), _ -> {});

        for (String namespace : List.of("one", "two", "three", "one")) {
            attempt(binding(namespace, "x"), 403, NO_QUOTA);
        }

        assertThat(told).containsExactly("one", "two", "three");
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 8, 58})
    void aRefusedLeaseIsTriedThreeTimesInTimeAndThenLikeOthers(int lead) {
        refused = remembering(Duration.ofSeconds(lead));
        ApiCall renewal = new ApiCall("update", "leases.coordination.k8s.io", "one", "slotwise");
        Instant lost = now.plusSeconds(lead);
        int tries = 0;

        for (; now.isBefore(lost); now = now.plusMillis(100)) {
            tries += attempt(renewal, 403, "User \"u\" cannot update resource \"leases\"") ? 1 : 0;
        }

        assertThat(tries).isEqualTo(3);
        now = lost.plusSeconds(lead / 2);
        assertThat(attempt(renewal, 403, "User \"u\" cannot update resource \"leases\""))
                .isTrue();
        now = now.plus(CallPause.FIRST);
        assertThat(attempt(renewal, 201, "")).isFalse();
    }

    private static ApiCall binding(String namespace, String pod) {
        return new ApiCall("create", BINDINGS, namespace, pod);
    }

    /** Returns whether the call was made. It is not made if it was refused a moment ago. */
    private boolean attempt(ApiCall call, int code, String message) {
        if (refused.begin(call, call::name) != null) {
            return false;
        }
        if (code < 300) {
            refused.granted(call, call::name);
        } else {
            refused.refused(new ApiRefusal(call, code, message));
        }
        return true;
    }
}
