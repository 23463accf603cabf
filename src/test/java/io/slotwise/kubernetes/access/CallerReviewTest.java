package io.slotwise.kubernetes.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.slotwise.kubernetes.publish.FailFastClient;
import io.slotwise.testing.FakeReviews;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CallerReviewTest {
    private final FakeReviews server = new FakeReviews();
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1000);
    private final CallerReview access =
            new CallerReview(FailFastClient.of(server.url()), List.of(), null, nanos::get, InstantSource.system());

    @AfterEach
    void stop() {
        server.close();
    }

    private Caller erin() {
        return Objects.requireNonNull(access.caller(FakeReviews.ONE));
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    @Test
    void aTokenIsItsOwners() {
        assertThat(erin()).isEqualTo(new Caller("erin", "", List.of("system:authenticated"), Map.of()));
    }

    @Test
    void anUnknownTokenHasNoUser() {
        assertThat(access.caller("made-up")).isNull();
    }

    @Test
    void aTokenForAnotherAudienceIsNobodys() {
        CallerReview narrow = new CallerReview(
                FailFastClient.of(server.url()), List.of("slotwise", "more"), null, nanos::get, InstantSource.system());

        assertThat(narrow.caller(FakeReviews.FOR_SLOTWISE)).isNotNull();
        assertThat(narrow.caller(FakeReviews.FOR_VAULT)).isNull();
        // A token with which Slotwise, or an attacker who controls it, could call the API server.
        assertThat(narrow.caller(FakeReviews.ONE)).isNull();
    }

    @Test
    void withoutAudiencesATokenIsTheApiServers() {
        assertThat(access.caller(FakeReviews.FOR_SLOTWISE)).isNull();
        assertThat(access.caller(FakeReviews.FOR_VAULT)).isNull();
    }

    @Test
    void anAuthenticatorThatIgnoresAudiencesIsNotTrusted() {
        CallerReview narrow = new CallerReview(
                FailFastClient.of(server.url()), List.of("slotwise"), null, nanos::get, InstantSource.system());

        assertThat(narrow.caller(FakeReviews.CARELESS)).isNull();
    }

    @Test
    void aRightHoldsWhereItWasGivenOnly() {
        assertThat(access.may(erin(), AccessRight.readIn("mine"))).isTrue();
        assertThat(access.may(erin(), AccessRight.readIn("yours"))).isFalse();
        assertThat(access.may(erin(), AccessRight.READ_ALL)).isFalse();
        assertThat(access.may(erin(), AccessRight.podsIn("mine"))).isTrue();
        assertThat(access.may(erin(), AccessRight.METRICS)).isFalse();
        assertThat(server.questions())
                .contains("erin list reservations slotwise.io mine", "erin create pods  mine", "erin get /metrics");
    }

    @Test
    void anAnswerHoldsForAWhile() {
        access.may(erin(), AccessRight.READ_ALL);
        pass(CallerReview.HOLDS.minusSeconds(1));
        access.may(erin(), AccessRight.READ_ALL);
        assertThat(server.questions()).hasSize(2);

        pass(Duration.ofSeconds(2));
        access.may(erin(), AccessRight.READ_ALL);
        assertThat(server.questions()).hasSize(4);
    }

    @Test
    void aRefusedTokenIsAskedForAgainSooner() {
        access.caller("made-up");
        access.caller("made-up");
        assertThat(server.questions()).hasSize(1);

        pass(CallerReview.REFUSAL_HOLDS.plusSeconds(1));
        access.caller("made-up");
        assertThat(server.questions()).hasSize(2);
    }

    @Test
    void theSameQuestionIsAskedOnceAtATime() {
        CompletableFuture<?>[] many = IntStream.range(0, 20)
                .mapToObj(_ -> CompletableFuture.runAsync(this::erin))
                .toArray(CompletableFuture<?>[]::new);
        CompletableFuture.allOf(many).join();

        assertThat(server.questions()).containsExactly("who " + FakeReviews.ONE);
    }

    @Test
    void withoutAnAnswerOfTheApiServerNothingIsAllowed() {
        Caller erin = erin();
        server.fails(true);

        assertThatThrownBy(() -> access.caller("another")).isInstanceOf(ReviewFailed.class);
        assertThatThrownBy(() -> access.may(erin, AccessRight.READ_ALL)).isInstanceOf(ReviewFailed.class);

        server.fails(false);
        assertThat(access.caller("another")).isNull();
        assertThat(access.may(erin, AccessRight.readIn("mine"))).isTrue();
    }

    @Test
    void anAnswerOfBeforeDoesNotOutliveTheApiServerByLong() {
        erin();
        server.fails(true);

        assertThat(erin().name()).isEqualTo("erin");
        pass(CallerReview.HOLDS.plusSeconds(1));
        assertThatThrownBy(this::erin).isInstanceOf(ReviewFailed.class);
    }

    @Test
    void theReviewsPerCallerAndTimeAreBounded() {
        Caller erin = erin();
        for (int i = 0; i < CallerReview.RIGHTS_OF_CALLER; i++) {
            access.may(erin, AccessRight.readIn("n" + i));
        }

        assertThatThrownBy(() -> access.may(erin, AccessRight.readIn("one-more")))
                .isInstanceOf(ReviewFailed.class)
                .hasMessage("your rights in more than 1000 namespaces were asked for; name one namespace, or ask for "
                        + "the right to list reservations.slotwise.io in all namespaces");
        assertThat(server.questions()).hasSize(1 + CallerReview.RIGHTS_OF_CALLER);
        assertThat(access.may(Objects.requireNonNull(access.caller(FakeReviews.ALL)), AccessRight.READ_ALL))
                .isTrue();

        pass(CallerReview.HOLDS.plusSeconds(1));
        assertThat(access.may(erin, AccessRight.readIn("mine"))).isTrue();
    }

    @Test
    void manyNamespacesAreReviewedInTurnsAndReadableOnesAreKept() {
        Set<String> namespaces = new TreeSet<>(Set.of("mine", "team-vision"));
        IntStream.range(0, 3000).mapToObj(i -> "n" + i).forEach(namespaces::add);
        List<CallerReview.ReadableNamespaces> turns = new ArrayList<>();

        for (int i = 0; i < 8; i++) {
            int before = server.questions().size();
            turns.add(access.readable(erin(), namespaces));
            assertThat(access.readable(erin(), namespaces)).isEqualTo(turns.getLast());
            assertThat(server.questions()).hasSizeBetween(before, before + 1 + CallerReview.RIGHTS_OF_ROUND);
            assertThat(access.may(erin(), AccessRight.podsIn("mine"))).isTrue();
            pass(CallerReview.HOLDS.plusSeconds(1));
        }

        assertThat(turns.subList(0, 3)).containsOnly(new CallerReview.ReadableNamespaces(Set.of("mine"), true));
        assertThat(turns.subList(4, 8))
                .containsOnly(new CallerReview.ReadableNamespaces(Set.of("mine", "team-vision"), false));
        assertThat(server.questions())
                .containsAll(namespaces.stream()
                        .map(namespace -> "erin list reservations slotwise.io " + namespace)
                        .toList());
    }

    @Test
    void aNamespaceThatWasFoundIsHiddenWhenItsAnswerIsOver() {
        Set<String> namespaces = Set.of("mine", "yours");
        assertThat(access.readable(erin(), namespaces).namespaces()).containsExactly("mine");

        pass(CallerReview.HOLDS.plusSeconds(1));
        Caller erin = erin();
        server.fails(true);
        assertThatThrownBy(() -> access.readable(erin, namespaces)).isInstanceOf(ReviewFailed.class);
    }

    @Test
    void signingInDoesNotWaitForReviewsOfOthers() {
        Caller erin = erin();
        CountDownLatch open = new CountDownLatch(1);
        server.holdRights(open);
        List<CompletableFuture<Boolean>> many = IntStream.range(0, 40)
                .mapToObj(i -> CompletableFuture.supplyAsync(
                        () -> access.may(
                                i < 20 ? erin : new Caller("c" + i, "", List.of(), Map.of()),
                                AccessRight.readIn("n" + i)),
                        task -> Thread.ofVirtual().start(task)))
                .toList();
        await().until(() -> server.questions().size() == 1 + 8 + 20);

        assertThat(access.caller(FakeReviews.ALL)).isNotNull();
        open.countDown();
        many.forEach(CompletableFuture::join);
    }

    @Test
    void theServiceAccountsOfANamespaceHaveOneShareAndEachUserHasOne() {
        CountDownLatch open = new CountDownLatch(1);
        server.holdRights(open);
        List<CompletableFuture<Boolean>> many = IntStream.range(0, 20)
                .mapToObj(i -> "system:serviceaccount:%s:a%d".formatted(i < 15 ? "team" : "other", i))
                .map(name -> CompletableFuture.supplyAsync(
                        () -> access.may(
                                // The name of each token is its credential id.
                                new Caller(name, "", List.of(), Map.of("credential-id", List.of(name))),
                                AccessRight.readIn("n")),
                        task -> Thread.ofVirtual().start(task)))
                .toList();

        await().until(() -> server.questions().size() == 8 + 5);
        open.countDown();
        many.forEach(CompletableFuture::join);
        assertThat(new Caller("jane", "", List.of(), Map.of()).share()).isEqualTo("jane");
    }

    @Test
    void cachedReviewsAreBounded() {
        Questions<Integer, String> some =
                new Questions<>(3, Duration.ofSeconds(1), (_, _) -> Duration.ofHours(1), nanos::get);
        for (int i = 0; i < 10; i++) {
            String answer = "" + i;
            assertThat(some.ask(i, () -> answer)).isEqualTo(answer);
        }

        assertThat(some.size()).isEqualTo(3);
    }

    @Test
    void aMissingAnswerIsSharedByWaitingCallersAndNotCached() throws Exception {
        Questions<Integer, String> some =
                new Questions<>(3, Duration.ofSeconds(10), (_, _) -> Duration.ofHours(1), nanos::get);
        CompletableFuture<String> refusal = new CompletableFuture<>();
        CountDownLatch asked = new CountDownLatch(1);
        CompletableFuture<String> first = CompletableFuture.supplyAsync(() -> some.ask(1, () -> {
            asked.countDown();
            throw new ReviewFailed(refusal.join());
        }));
        asked.await();
        CompletableFuture<String> second = CompletableFuture.supplyAsync(() -> some.ask(1, () -> "never asked"));
        await().until(() -> some.waiting(1) == 1);
        refusal.complete("silence");

        assertThatThrownBy(first::join).hasCauseInstanceOf(ReviewFailed.class).hasMessageContaining("silence");
        assertThatThrownBy(second::join).hasCauseInstanceOf(ReviewFailed.class).hasMessageContaining("silence");
        assertThat(some.ask(1, () -> "now")).isEqualTo("now");
    }
}
