package io.slotwise.live.cycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.slotwise.live.settings.LoopSettings;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LoopRunnerTest {
    private final FakeHost host = new FakeHost().withNodes("n1");
    private final ChangingSettings settings = new ChangingSettings(LoopSettings.EXACT);
    private final LoopRunner heart = new LoopRunner(settings, host, host);

    @AfterEach
    void stop() {
        heart.close();
    }

    @Test
    void anErrorEndsNeitherThreadAndIsCounted() {
        host.arrives("g", 1, 60);
        host.whileTaking = () -> {
            throw new StackOverflowError("a poisoned object");
        };

        heart.start(host.replica(settings), host.starter(settings));

        await().until(() -> host.failures.get() > 0);
        assertThat(heart.beats()).isTrue();

        host.whileTaking = () -> {};
        host.pass(Duration.ofSeconds(2));
        heart.changed();

        await().until(() -> !host.told.isEmpty());
    }

    @Test
    void aLeaderThatFinishesNoCycleForThreeOfThemDoesNotProceed() {
        assertThat(heart.proceeds()).as("before it begins").isTrue();
        host.whileTaking = () -> {
            throw new IllegalStateException("a poisoned object");
        };
        heart.start(host.replica(settings), host.starter(settings));
        await().until(() -> host.failures.get() > 0);
        assertThat(heart.proceeds()).isTrue();

        host.pass(Duration.ofSeconds(31));

        assertThat(heart.proceeds()).isFalse();

        host.whileTaking = () -> {};
        heart.changed();

        await().atMost(Duration.ofSeconds(5)).until(heart::proceeds);
    }

    @Test
    void aClockThatIsSetBackByAnHourHidesNoLeaderThatFinishesNoCycle() {
        host.whileTaking = () -> {
            throw new IllegalStateException("a poisoned object");
        };
        heart.start(host.replica(settings), host.starter(settings));
        await().until(() -> host.failures.get() > 0);
        host.pass(Duration.ofHours(-1));
        assertThat(heart.proceeds()).isTrue();

        host.pass(Duration.ofSeconds(31));

        assertThat(heart.proceeds()).isFalse();
    }

    @Test
    void aGangThatIsThereIsPlannedAtOnceThoughNothingChanges() {
        host.arrives("g", 1, 60);

        heart.start(host.replica(settings), host.starter(settings));

        await().atMost(Duration.ofSeconds(30)).until(() -> host.told.stream().anyMatch(told -> told.startsWith("g ")));
        assertThat(heart.beats()).isTrue();
        assertThat(heart.proceeds()).isTrue();
        assertThat(host.failures).hasValue(0);
    }

    @Test
    void closedBothThreadsEnd() {
        assertThat(heart.beats()).as("before it begins").isTrue();
        heart.start(host.replica(settings), host.starter(settings));

        heart.close();

        await().atMost(Duration.ofSeconds(30)).until(() -> !heart.beats());
    }
}
