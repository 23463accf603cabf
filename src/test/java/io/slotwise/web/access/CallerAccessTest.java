package io.slotwise.web.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slotwise.kubernetes.access.CallerReview;
import io.slotwise.kubernetes.publish.FailFastClient;
import io.slotwise.testing.FakeReviews;
import io.slotwise.web.access.CallerAccess.Namespaces;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A cluster of 3,000 namespaces. */
class CallerAccessTest {
    private static final Set<String> ALL = Stream.concat(
                    Stream.of("mine", "yours"), IntStream.range(0, 2998).mapToObj(i -> "n" + i))
            .collect(Collectors.toSet());

    private final FakeReviews server = new FakeReviews();
    private final CallerReview review = new CallerReview(FailFastClient.of(server.url()), List.of(), null);

    @AfterEach
    void stop() {
        server.close();
    }

    private CallerAccess of(String token, String... withGangs) {
        return CallerAccess.of(review, token, false, new Namespaces(() -> Set.of(withGangs), () -> ALL));
    }

    @Test
    void onlyNamespacesWithGangsAreAskedFor() {
        assertThat(of(FakeReviews.ONE, "mine", "yours").scope()).isEqualTo(new NamespaceScope(false, Set.of("mine")));

        assertThat(server.questions())
                .containsExactlyInAnyOrder(
                        "who " + FakeReviews.ONE,
                        "erin list reservations slotwise.io ",
                        "erin list reservations slotwise.io mine",
                        "erin list reservations slotwise.io yours");
    }

    @Test
    void aReaderOfAllNamespacesNeedsOneReview() {
        assertThat(of(FakeReviews.ALL, "mine", "yours").scope()).isEqualTo(NamespaceScope.EVERYTHING);

        assertThat(server.questions()).hasSize(2);
    }

    @Test
    void aReaderOfANamespaceWithoutGangsSeesAnEmptyCluster() {
        assertThat(of(FakeReviews.ONE, "yours").scope()).isEqualTo(new NamespaceScope(false, Set.of()));
    }

    @Test
    void aReaderSeesANamespaceBeforeAllOthersAreReviewed() {
        CallerAccess erin = of(FakeReviews.ONE, ALL.toArray(String[]::new));

        assertThat(erin.scope().namespaces()).containsExactly("mine");
        assertThat(erin.scopeIn("mine").namespaces()).containsExactly("mine");
        assertThat(erin.scope().notes()).hasSize(1);
        assertThat(server.questions()).hasSizeLessThan(1000);
    }

    @Test
    void aCallerIsRefusedForGoodOnlyAfterAllNamespacesAreReviewed() {
        assertThatThrownBy(
                        () -> of(FakeReviews.NOBODY, ALL.toArray(String[]::new)).scope())
                .isInstanceOfSatisfying(
                        AccessDenied.class,
                        denied -> assertThat(denied.status()).isEqualTo(503))
                .hasMessage("not all namespaces were asked for yet where nobody may list reservations.slotwise.io; try "
                        + "again in 30 s, or name one namespace");
    }

    @Test
    void onlyABoundedNumberOfEmptyNamespacesIsReviewed() {
        assertThatThrownBy(() -> of(FakeReviews.NOBODY, "mine", "yours").scope())
                .isInstanceOf(AccessDenied.class);

        assertThat(server.questions()).hasSize(2 + 2 + CallerAccess.MOST_WITHOUT_GANGS);
    }
}
