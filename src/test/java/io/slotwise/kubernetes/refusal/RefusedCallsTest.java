package io.slotwise.kubernetes.refusal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.slotwise.core.gang.GangId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@EnableKubernetesMockClient(https = false)
@SuppressWarnings("NullAway.Init")
class RefusedCallsTest {
    private static final String NO_RIGHT = "configmaps \"%s\" is forbidden: User \"system:serviceaccount:a:b\" cannot "
            + "create resource \"configmaps\" in API group \"\" in the namespace \"%s\"";
    private static final String NO_QUOTA = "configmaps \"%s\" is forbidden: exceeded quota: none, requested: "
            + "count/configmaps=1, used: count/configmaps=0, limited: count/configmaps=0";

    private static final Duration LEAD = Duration.ofSeconds(8);
    private static final String NO_BINDING =
            "pods \"p\" is forbidden: User \"u\" cannot create resource \"pods/binding\" "
                    + "in API group \"\" in the namespace \"one\"";

    KubernetesMockServer server;

    private Instant now = Instant.parse("2030-01-01T12:00:00Z");
    private final Map<String, Integer> counted = new HashMap<>();
    private final List<ApiRefusal> told = new ArrayList<>();
    private final List<String> granted = new ArrayList<>();
    private RefusedCalls refused;
    private KubernetesClient client;

    @BeforeEach
    void connect() {
        refused = new RefusedCalls(
                () -> now,
                new RefusalObserver() {
                    @Override
                    public void refusing(IntSupplier kinds) {}

                    @Override
                    public void refused(String what) {
                        counted.merge(what, 1, Integer::sum);
                    }
                },
                LEAD);
        refused.tell(told::add, call -> granted.add(call.what()));
        client = new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder()
                        .withMasterUrl(server.url("/"))
                        .withRequestRetryBackoffLimit(0)
                        .build())
                .withHttpClientBuilderConsumer(
                        http -> http.addOrReplaceInterceptor(RefusalInterceptor.NAME, new RefusalInterceptor(refused)))
                .build();
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    @Test
    void aRefusedCallFailsAgainUnsentWithTheSameMessage() {
        answer("one", "x", 403, NO_RIGHT.formatted("x", "one"));

        KubernetesClientException first = refusal("one", "x");
        KubernetesClientException second = refusal("one", "x");

        assertThat(first.getCode()).isEqualTo(403);
        assertThat(second.getCode()).isEqualTo(403);
        assertThat(second.getStatus().getMessage()).isEqualTo(first.getStatus().getMessage());
        assertThat(server.getRequestCount()).isEqualTo(1);
    }

    @Test
    void aRefusedObjectIsTriedTwiceInHalfAMinuteAndDelaysNoOther() {
        answer("one", "x", 422, "x is invalid");

        for (int second = 0; second < 30; second++) {
            refusal("one", "x");
            now = now.plusSeconds(1);
        }
        int sent = server.getRequestCount();
        answer("one", "y", 201, "");
        create("one", "y");

        assertThat(sent).isEqualTo(2);
        assertThat(server.getRequestCount()).isEqualTo(3);
    }

    @Test
    void objectsRefusedForOneReasonAreRetriedOneAfterAnother() {
        server.expect()
                .post()
                .withPath("/api/v1/namespaces/one/configmaps")
                .andReturn(403, status(403, "exceeded quota: none, requested: count/configmaps=1"))
                .always();

        for (int second = 0; second < 60; second++) {
            for (int i = 0; i < 50; i++) {
                refusal("one", "x" + i);
            }
            now = now.plusSeconds(1);
        }

        assertThat(server.getRequestCount()).isEqualTo(4);
        assertThat(told).hasSize(1);
        assertThat(counted).containsExactly(Map.entry("create configmaps", 4));
    }

    @Test
    void aQuotaOfOneNamespaceKeepsNoOtherWaitingAndDoesNotStopTheProgram() {
        answer("one", "x", 403, NO_QUOTA.formatted("x"));
        refusal("one", "x");
        answer("one", "y", 403, NO_QUOTA.formatted("y"));
        refusal("one", "y");

        answer("two", "x", 201, "");
        create("two", "x");

        assertThat(refused.isStopped()).isFalse();
        assertThat(refusal("one", "z").getStatus().getMessage())
                .startsWith("configmaps \"...\" is forbidden: exceeded quota");
        assertThat(server.getRequestCount()).isEqualTo(3);
    }

    @Test
    void aRightMissingInTwoNamespacesIsNotTriedInAThird() {
        answer("one", "x", 403, NO_RIGHT.formatted("x", "one"));
        refusal("one", "x");
        answer("two", "x", 403, NO_RIGHT.formatted("x", "two"));
        refusal("two", "x");

        KubernetesClientException third = refusal("three", "x");

        assertThat(server.getRequestCount()).isEqualTo(2);
        assertThat(third.getStatus().getMessage()).doesNotContain("\"two\"", "\"x\"");
        assertThat(told).singleElement().satisfies(refusal -> {
            assertThat(refusal.cause()).isEqualTo(ApiRefusal.Cause.RIGHT);
            assertThat(refusal.advice()).contains("kubectl auth can-i create configmaps -n one");
        });
    }

    @Test
    void onceACallIsGrantedAllGoAtOnceAndTheNextRefusalIsToldAgain() {
        answer("one", "x", 403, NO_RIGHT.formatted("x", "one"));
        refusal("one", "x");
        answer("one", "y", 403, NO_RIGHT.formatted("y", "one"));
        refusal("one", "y");

        now = now.plus(CallPause.FIRST);
        answer("one", "z", 201, "");
        create("one", "z");
        answer("one", "x", 201, "");
        create("one", "x");
        answer("one", "v", 403, NO_RIGHT.formatted("v", "one"));
        refusal("one", "v");

        assertThat(granted).containsExactly("create configmaps");
        assertThat(told).hasSize(2);
    }

    @Test
    void aConflictATooManyAndAnErrorOfTheServerAreNoRefusals() {
        for (int code : List.of(409, 429, 500, 401)) {
            answer("one", "x", code, "no");
            refusal("one", "x");
        }

        assertThat(server.getRequestCount()).isEqualTo(4);
        assertThat(told).isEmpty();
        assertThat(refused.now()).isEmpty();
    }

    @Test
    void aRecordThatMayNotBeWrittenStopsTheProgramUntilForgotten() {
        ApiCall call = new ApiCall("update", "reservations.slotwise.io/status", "one", "g");
        refused.refused(new ApiRefusal(call, 403, "User \"u\" cannot update resource \"reservations/status\""));

        boolean stopped = refused.isStopped();
        now = now.plusSeconds(300);

        assertThat(stopped).isTrue();
        assertThat(refused.isStopped()).isFalse();
    }

    @Test
    void aRefusedLeaseIsRetriedInTimeAndThenAsSeldomAsOthers() {
        ApiCall renewal = new ApiCall("update", "leases.coordination.k8s.io", "one", "slotwise");
        Instant began = now;
        List<Instant> first = new ArrayList<>();

        int most = mostIn30Seconds(120, _ -> {
            List<Instant> made = attempt(renewal, 403, "User \"u\" cannot update resource \"leases\"");
            first.addAll(made);
            return made.stream();
        });

        assertThat(first).filteredOn(at -> at.isBefore(began.plusSeconds(10))).hasSize(4);
        assertThat(most).isEqualTo(5);
    }

    @Test
    void anApiServerThatHasJustBegunRefusesNothing() {
        answer("one", "x", 403, "configmaps \"x\" is forbidden: not yet ready to handle request");
        refusal("one", "x");
        answer("one", "x", 201, "");
        create("one", "x");

        assertThat(told).isEmpty();
        assertThat(server.getRequestCount()).isEqualTo(2);
    }

    @Test
    void quotasOfTwoNamespacesKeepNoThirdWaiting() {
        answer("one", "x", 403, NO_QUOTA.formatted("x"));
        refusal("one", "x");
        answer("two", "x", 403, NO_QUOTA.formatted("x"));
        refusal("two", "x");

        answer("three", "x", 201, "");
        create("three", "x");

        assertThat(server.getRequestCount()).isEqualTo(3);
    }

    @Test
    void aThousandGangsRefusedAlikeCostFiveCallsInHalfAMinute() {
        int most = mostIn30Seconds(
                120,
                _ -> IntStream.range(0, 1000).boxed().flatMap(i -> {
                    ApiCall call =
                            new ApiCall("create", "reservations.slotwise.io", "ns" + i % 7, "gang-" + letters(i));
                    return attempt(
                            call, 422, "Reservation.slotwise.io \"gang-" + letters(i) + "\" is invalid: spec.via: no")
                            .stream();
                }));

        assertThat(most).isBetween(2, 5);
        assertThat(told).hasSize(1);
    }

    @Test
    void gangsRefusedForTheirOwnReasonsDelayNoGrantedOnesInBetween() {
        for (int i = 0; i < 20; i++) {
            ApiCall bad = new ApiCall("create", "reservations.slotwise.io", "one", "bad-" + i);
            ApiCall good = new ApiCall("create", "reservations.slotwise.io", "one", "good-" + i);

            assertThat(attempt(bad, 422, "\"bad-" + i + "\" is invalid")).hasSize(1);
            assertThat(attempt(good, 201, "")).hasSize(1);
        }
    }

    @Test
    void theBindingOfALonePodThatIsRefusedIsTriedFiveTimesInHalfAMinuteAtMost() {
        ApiCall binding = new ApiCall("create", "pods/binding", "one", "p");
        ApiCall other = new ApiCall("create", "pods/binding", "one", "q");

        int most = mostIn30Seconds(120, _ -> attempt(binding, 422, "\"p\" is invalid").stream());

        assertThat(most).isBetween(2, 5);
        assertThat(refused.startRefusal(new GangId("one", "g"), List.of("p"), true, true))
                .isNotNull();
        assertThat(refused.startRefusal(new GangId("one", "h"), List.of("q"), true, true))
                .isNull();
        assertThat(attempt(other, 201, "")).hasSize(1);
    }

    @Test
    void whileBindingsAreRefusedOneGangAtATimeFindsOutWhetherTheyStillAre() {
        GangId first = new GangId("one", "first");
        GangId second = new GangId("one", "second");
        bindingsAreForbidden();
        assertThat(refused.startRefusal(first, List.of("a"), true, true)).isNotNull();

        now = now.plus(CallPause.FIRST);
        assertThat(refused.startRefusal(first, List.of("a"), true, false))
                .as("who only asks")
                .isNotNull();
        assertThat(refused.startRefusal(first, List.of("a"), true, true)).isNull();
        assertThat(refused.startRefusal(second, List.of("b"), true, true)).isNotNull();
        assertThat(refused.startRefusal(first, List.of("a"), true, true)).isNull();

        attempt(new ApiCall("create", "pods/binding", "one", "a"), 201, "");
        assertThat(refused.startRefusal(second, List.of("b"), true, true)).isNull();
    }

    @Test
    void aGangThatWasToFindOutAndDoesNotLeavesItToTheNext() {
        bindingsAreForbidden();
        now = now.plus(CallPause.FIRST);
        assertThat(refused.startRefusal(new GangId("one", "first"), List.of("a"), true, true))
                .isNull();

        now = now.plus(CallPause.FIRST).plusSeconds(1);

        assertThat(refused.startRefusal(new GangId("one", "second"), List.of("b"), true, true))
                .isNull();
    }

    @Test
    void aGangThatIsRefusedAgainLeavesTheNextTryToAnother() {
        GangId poisoned = new GangId("one", "a");
        GangId sound = new GangId("one", "b");
        bindingsAreForbidden();
        now = now.plus(CallPause.FIRST);
        assertThat(refused.startRefusal(poisoned, List.of("p2"), true, true)).isNull();
        attempt(new ApiCall("create", "pods/binding", "one", "p2"), 403, NO_BINDING);

        now = now.plus(CallPause.FIRST).plus(CallPause.FIRST).plusSeconds(1);

        assertThat(refused.startRefusal(poisoned, List.of("p3"), true, true)).isNotNull();
        assertThat(refused.startRefusal(sound, List.of("s"), true, true)).isNull();
    }

    @Test
    void aGangWithoutARecordDoesNotStartWhileRecordsCannotBeCreated() {
        GangId gang = new GangId("one", "g");
        for (String record : List.of("first", "second")) {
            attempt(new ApiCall("create", "reservations.slotwise.io", "one", record), 403, NO_QUOTA.formatted(record));
        }

        now = now.plus(CallPause.FIRST).plusSeconds(1);

        assertThat(refused.startRefusal(gang, List.of("p"), false, true)).contains("exceeded quota: none");
        assertThat(refused.startRefusal(gang, List.of("p"), true, true)).isNull();
        attempt(new ApiCall("create", "reservations.slotwise.io", "one", "first"), 201, "");
        assertThat(refused.startRefusal(gang, List.of("p"), false, true)).isNull();
    }

    @Test
    void twoObjectsThatAreNotValidKeepNoThirdWaiting() {
        answer("one", "x", 422, "\"x\" is invalid");
        refusal("one", "x");
        answer("one", "y", 422, "\"y\" is invalid");
        refusal("one", "y");

        answer("one", "z", 201, "");
        create("one", "z");

        assertThat(server.getRequestCount()).isEqualTo(3);
    }

    @Test
    void aDefinitionThatIsMissingIsAskedForOnceForAll() {
        answer("one", "x", 404, "the server could not find the requested resource");
        refusal("one", "x");
        answer("two", "x", 404, "the server could not find the requested resource");
        refusal("two", "x");

        refusal("three", "x");

        assertThat(server.getRequestCount()).isEqualTo(2);
    }

    @Test
    void aNamespaceWhoseLastCallWasGrantedGoesOnWhileTwoOthersAreRefused() {
        answer("three", "x", 201, "");
        create("three", "x");
        answer("one", "x", 403, NO_RIGHT.formatted("x", "one"));
        refusal("one", "x");
        answer("two", "x", 403, NO_RIGHT.formatted("x", "two"));
        refusal("two", "x");

        answer("three", "y", 201, "");
        create("three", "y");

        assertThat(server.getRequestCount()).isEqualTo(4);
    }

    @Test
    void aPodThatAWebhookRefusesDoesNotStopTheProgram() {
        ApiCall good = new ApiCall("create", "pods/binding", "two", "q");
        ApiCall bad = new ApiCall("create", "pods/binding", "one", "p");
        refused.granted(good, good::name);
        boolean stopped = false;
        for (int second = 0; second <= 60; second += 30) {
            refused.refused(new ApiRefusal(bad, 403, "admission webhook \"w\" denied the request: no"));
            stopped |= refused.isStopped();
            now = now.plusSeconds(30);
        }
        refused.refused(new ApiRefusal(bad, 403, "admission webhook \"w\" denied the request: no"));

        assertThat(stopped).isFalse();
        assertThat(refused.isStopped()).as("nothing was granted for long").isTrue();
    }

    @Test
    void twoReasonsThatAlternateAreToldOnceEach() {
        for (int round = 0; round < 3; round++) {
            refused.refused(new ApiRefusal(new ApiCall("update", "configmaps", "one", "x"), 422, "no spec"));
            refused.refused(new ApiRefusal(new ApiCall("update", "configmaps", "one", "y"), 422, "no data"));
            now = now.plusSeconds(30);
        }

        assertThat(told).hasSize(2);
    }

    @Test
    void namespacesThatAreGoneAreForgottenThoughNothingIsRefused() {
        for (int i = 0; i < 100; i++) {
            ApiCall call = new ApiCall("create", "configmaps", "n" + i, "");
            refused.granted(call, () -> "x");
            now = now.plusSeconds(3600);
        }

        assertThat(refused.size()).isLessThan(5);
    }

    @Test
    void aPathIsParsedIntoItsCall() {
        assertThat(ApiCall.of("POST", "/api/v1/namespaces/one/pods/p/binding"))
                .isEqualTo(new ApiCall("create", "pods/binding", "one", "p"));
        assertThat(ApiCall.of("PUT", "/proxy/apis/slotwise.io/v1alpha1/namespaces/one/reservations/g/status"))
                .isEqualTo(new ApiCall("update", "reservations.slotwise.io/status", "one", "g"));
        assertThat(ApiCall.of("GET", "/api/v1/nodes")).isEqualTo(new ApiCall("list", "nodes", "", ""));
        assertThat(ApiCall.of("GET", "/api/v1/namespaces/one")).isEqualTo(new ApiCall("get", "namespaces", "", "one"));
        assertThat(ApiCall.of("GET", "/readyz")).isNull();
    }

    /** Makes the call unless it was refused a moment ago. Returns the seconds of the calls that were made. */
    private List<Instant> attempt(ApiCall call, int code, String message) {
        if (refused.begin(call, call::name) != null) {
            return List.of();
        }
        if (code < 300) {
            refused.granted(call, call::name);
        } else {
            refused.refused(new ApiRefusal(call, code, message));
        }
        return List.of(now);
    }

    /** The most calls within half a minute, given the calls of each second. */
    private int mostIn30Seconds(int seconds, Function<Integer, Stream<Instant>> calls) {
        List<Instant> made = new ArrayList<>();
        for (int second = 0; second < seconds; second++) {
            calls.apply(second).forEach(made::add);
            now = now.plusSeconds(1);
        }
        return made.stream()
                .mapToInt(from -> (int) made.stream()
                        .filter(at -> !at.isBefore(from) && at.isBefore(from.plusSeconds(30)))
                        .count())
                .max()
                .orElse(0);
    }

    private static String letters(int number) {
        return "" + (char) ('a' + number / 676) + (char) ('a' + number / 26 % 26) + (char) ('a' + number % 26);
    }

    private void answer(String namespace, String name, int code, String message) {
        Object body = code < 300 ? map(name) : status(code, message);
        server.expect()
                .post()
                .withPath("/api/v1/namespaces/" + namespace + "/configmaps")
                .andReturn(code, body)
                .once();
    }

    private static Status status(int code, String message) {
        return new StatusBuilder()
                .withCode(code)
                .withMessage(message)
                .withStatus("Failure")
                .build();
    }

    private static ConfigMap map(String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .build();
    }

    private void create(String namespace, String name) {
        client.configMaps().inNamespace(namespace).resource(map(name)).create();
    }

    private KubernetesClientException refusal(String namespace, String name) {
        return catchThrowableOfType(KubernetesClientException.class, () -> create(namespace, name));
    }

    /** Forbids the bindings of two pods of a namespace, so that no pod of the namespace is bound. */
    private void bindingsAreForbidden() {
        for (String pod : List.of("p", "q")) {
            attempt(new ApiCall("create", "pods/binding", "one", pod), 403, NO_BINDING);
        }
    }
}
