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
    private final LoopRunner loop = new LoopRunner(settings, host, host);

    @AfterEach
    void stop() {
        loop.close();
    }

    @Test
    void anErrorEndsNeitherThreadAndIsCounted() {
        host.arrives("g", 1, 60);
        host.whileTaking = () -> {
            throw new StackOverflowError("a poisoned object");
        };

        loop.start(host.replica(settings), host.starter(settings));

        await().until(() -> host.failures.get() > 0);
        assertThat(loop.beats()).isTrue();

        host.whileTaking = () -> {};
        host.pass(Duration.ofSeconds(2));
        loop.changed();

        await().until(() -> !host.told.isEmpty());
    }

    @Test
    void aLeaderThatFinishesNoCycleForThreeOfThemDoesNotProceed() {
        assertThat(loop.proceeds()).as("before it begins").isTrue();
        host.whileTaking = () -> {
            throw new IllegalStateException("a poisoned object");
        };
        loop.start(host.replica(settings), host.starter(settings));
        await().until(() -> host.failures.get() > 0);
        assertThat(loop.proceeds()).isTrue();

        host.pass(Duration.ofSeconds(31));

        assertThat(loop.proceeds()).isFalse();

        host.whileTaking = () -> {};
        loop.changed();

        await().atMost(Duration.ofSeconds(5)).until(loop::proceeds);
    }

    @Test
    void aClockThatIsSetBackByAnHourHidesNoLeaderThatFinishesNoCycle() {
        host.whileTaking = () -> {
            throw new IllegalStateException("a poisoned object");
        };
        loop.start(host.replica(settings), host.starter(settings));
        await().until(() -> host.failures.get() > 0);
        host.pass(Duration.ofHours(-1));
        assertThat(loop.proceeds()).isTrue();

        host.pass(Duration.ofSeconds(31));

        assertThat(loop.proceeds()).isFalse();
    }

    @Test
    void aGangThatIsThereIsPlannedAtOnceThoughNothingChanges() {
        host.arrives("g", 1, 60);

        loop.start(host.replica(settings), host.starter(settings));

        await().atMost(Duration.ofSeconds(30)).until(() -> host.told.stream().anyMatch(told -> told.startsWith("g ")));
        assertThat(loop.beats()).isTrue();
        assertThat(loop.proceeds()).isTrue();
        assertThat(host.failures).hasValue(0);
    }

    @Test
    void closedBothThreadsEnd() {
        assertThat(loop.beats()).as("before it begins").isTrue();
        loop.start(host.replica(settings), host.starter(settings));

        loop.close();

        await().atMost(Duration.ofSeconds(30)).until(() -> !loop.beats());
    }
}
