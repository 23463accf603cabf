package io.slotwise.web.board;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.slotwise.testing.ExampleDay;
import io.slotwise.web.access.NamespaceScope;
import io.slotwise.web.board.BoardFeed.Place;
import io.slotwise.web.board.BoardFeed.Rhythm;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BoardFeedTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long LATER = ExampleDay.LOOK + 3600;
    private static final Rhythm QUICK =
            new Rhythm(Duration.ofMillis(5), Duration.ofHours(1), Duration.ofHours(1), 2, 1);

    private final Day source = new Day();
    private final BoardFeed feed = new BoardFeed(source, QUICK);

    @AfterEach
    void close() {
        feed.close();
    }

    @Test
    void aListenerGetsTheTimeAndThenItsMissingVersion() {
        Ear ear = new Ear();

        feed.join(ear, "", NamespaceScope.EVERYTHING);

        await().until(() -> ear.heard.size() == 2);
        assertThat(ear.heard).extracting(Heard::event).containsExactly("beat", "state");
        assertThat(ear.heard.getFirst().data().path("now").asLong()).isEqualTo(ExampleDay.LOOK * 1000);
        assertThat(ear.heard.getFirst().data().path("speed").asInt()).isEqualTo(60);
    }

    @Test
    void aChangeMakesTheNewDocumentOfTheOld() throws IOException {
        JsonNode before = document();
        Ear ear = new Ear();
        feed.join(ear, before.path("version").asText(), NamespaceScope.EVERYTHING);
        await().until(() -> ear.heard.size() == 1);

        source.now = LATER;
        feed.changed();

        await().until(() -> ear.heard.size() == 2);
        Heard change = ear.heard.getLast();
        assertThat(change.event()).isEqualTo("change");
        JsonNode after = document();
        assertThat(change.data().path("from")).isEqualTo(before.path("version"));
        assertThat(change.data().path("version")).isEqualTo(after.path("version"));
        assertThat(applied(before, change.data(), "bars", "id")).isEqualTo(members(after, "bars", "id"));
        assertThat(applied(before, change.data(), "gangs", "id")).isEqualTo(members(after, "gangs", "id"));
        assertThat(change.data().path("totals")).isEqualTo(after.path("totals"));
    }

    @Test
    void aDifferenceInTimeOnlyIsNoChange() {
        String before = feed.versionFor(NamespaceScope.EVERYTHING).version();

        source.now = ExampleDay.LOOK + 1;
        source.still = true;
        feed.changed();

        assertThat(feed.versionFor(NamespaceScope.EVERYTHING).version()).isEqualTo(before);
    }

    @Test
    void aListenerThatFallsBehindGetsTheNewestStateAndNoBacklog() {
        Ear slow = new Ear();
        feed.join(slow, feed.versionFor(NamespaceScope.EVERYTHING).version(), NamespaceScope.EVERYTHING);
        await().until(() -> slow.heard.size() == 1);
        slow.holds = new CompletableFuture<>();
        source.now = ExampleDay.LOOK + 1800;
        feed.changed();
        await().until(() -> slow.heard.size() == 2);

        for (int step = 0; step < 5; step++) {
            source.now = LATER + step * 1800L;
            feed.changed();
            int drawn = source.drawn.get();
            await().until(() -> source.drawn.get() > drawn);
        }
        String newest = feed.versionFor(NamespaceScope.EVERYTHING).version();
        CompletableFuture<Void> held = Objects.requireNonNull(slow.holds);
        slow.holds = null;
        held.complete(null);

        await().until(() -> slow.heard.size() == 3);
        assertThat(slow.heard.getLast().event()).isEqualTo("state");
        assertThat(slow.heard.getLast().data().path("version").asText()).isEqualTo(newest);
    }

    @Test
    void aReaderOfOneNamespaceGetsChangesWithoutOtherNames() throws Exception {
        NamespaceScope mine = new NamespaceScope(false, Set.of("team-vision"));
        Ear ear = new Ear();
        feed.join(ear, feed.versionFor(mine).version(), mine);
        await().until(() -> !ear.heard.isEmpty());

        source.now = LATER;
        feed.changed();

        await().until(() -> ear.heard.size() == 2);
        assertThat(ear.heard.getLast().event()).isEqualTo("change");
        assertThat(ear.heard.getLast().data().path("bars").toString())
                .contains("\"taken\"")
                .doesNotContain("team-language");
        assertThat(feed.versionFor(mine).version())
                .isNotEqualTo(feed.versionFor(NamespaceScope.EVERYTHING).version());
    }

    @Test
    void aReaderWithAnotherScopeFetchesTheWholeBoard() {
        NamespaceScope mine = new NamespaceScope(false, Set.of("team-vision"));
        Ear ear = new Ear();
        Place place =
                Objects.requireNonNull(feed.join(ear, feed.versionFor(mine).version(), mine));
        await().until(() -> !ear.heard.isEmpty());

        place.see(NamespaceScope.EVERYTHING);

        await().until(() -> ear.heard.size() == 2);
        assertThat(ear.heard.getLast().event()).isEqualTo("state");
        assertThat(ear.heard.getLast().data().path("version").asText())
                .isEqualTo(feed.versionFor(NamespaceScope.EVERYTHING).version());
    }

    @Test
    void noMoreListenThanMay() {
        Place first = Objects.requireNonNull(feed.join(new Ear(), "", NamespaceScope.EVERYTHING));
        feed.join(new Ear(), "", NamespaceScope.EVERYTHING);

        assertThat(feed.join(new Ear(), "", NamespaceScope.EVERYTHING)).isNull();

        first.leave();
        assertThat(feed.join(new Ear(), "", NamespaceScope.EVERYTHING)).isNotNull();
        assertThat(feed.listeners()).isEqualTo(2);
    }

    @Test
    void noCallerHasMoreThanItsShareOfThePlaces() {
        Ear own = new Ear();
        own.caller = "erin";
        Ear another = new Ear();
        another.caller = "jane";
        Place first = Objects.requireNonNull(feed.join(own, "", NamespaceScope.EVERYTHING));

        assertThat(feed.join(own, "", NamespaceScope.EVERYTHING)).isNull();
        assertThat(feed.join(another, "", NamespaceScope.EVERYTHING)).isNotNull();

        first.leave();
        assertThat(feed.join(own, "", NamespaceScope.EVERYTHING)).isNotNull();
    }

    @Test
    void aListenerThatBreaksIsForgotten() {
        Ear broken = new Ear();
        broken.fails = true;

        feed.join(broken, "", NamespaceScope.EVERYTHING);

        await().until(() -> feed.listeners() == 0);
        assertThat(broken.closed).isTrue();
    }

    @Test
    void nothingIsDrawnWithoutListeners() {
        feed.changed();
        feed.changed();

        assertThat(source.drawn).hasValue(0);
    }

    @Test
    void theCompressedDocumentIsTheSame() throws IOException {
        BoardVersion version = feed.versionFor(NamespaceScope.EVERYTHING);

        byte[] plain = version.bytes(false);
        byte[] zipped = version.bytes(true);

        assertThat(new GZIPInputStream(new ByteArrayInputStream(zipped)).readAllBytes())
                .isEqualTo(plain);
        assertThat(zipped.length).isLessThan(plain.length / 4);
    }

    private JsonNode document() throws IOException {
        return JSON.readTree(feed.versionFor(NamespaceScope.EVERYTHING).bytes(false));
    }

    private static Map<String, JsonNode> members(JsonNode document, String part, String id) {
        Map<String, JsonNode> members = new TreeMap<>();
        document.path(part).forEach(member -> members.put(member.path(id).asText(), member));
        return members;
    }

    private static Map<String, JsonNode> applied(JsonNode before, JsonNode change, String part, String id) {
        Map<String, JsonNode> members = members(before, part, id);
        change.path(part).path("gone").forEach(gone -> members.remove(gone.asText()));
        change.path(part)
                .path("set")
                .forEach(member -> members.put(member.path(id).asText(), member));
        return members;
    }

    /** A day that is shown at any time. */
    private static final class Day implements BoardSource {
        private final ExampleDay day = new ExampleDay();
        private final AtomicInteger drawn = new AtomicInteger();
        private volatile long now = ExampleDay.LOOK;
        private volatile boolean still;

        @Override
        public Board board() {
            drawn.incrementAndGet();
            return BoardRenderer.of(day.at(still ? ExampleDay.LOOK : now));
        }

        @Override
        public Moment moment() {
            return new Moment(now * 1000, 60);
        }
    }

    private record Heard(String event, JsonNode data) {}

    /** A listener that may be slow or fail. */
    private static final class Ear implements BoardFeed.Listener {
        private final List<Heard> heard = new CopyOnWriteArrayList<>();
        private volatile @Nullable CompletableFuture<Void> holds;
        private volatile boolean fails;
        private volatile boolean closed;
        private @Nullable String caller;

        @Override
        public @Nullable String caller() {
            return caller;
        }

        @Override
        public CompletionStage<?> send(String event, String data) {
            try {
                heard.add(new Heard(event, JSON.readTree(data)));
            } catch (JsonProcessingException e) {
                throw new IllegalArgumentException(data, e);
            }
            CompletableFuture<Void> held = holds;
            return fails
                    ? CompletableFuture.failedFuture(new IOException("gone"))
                    : held == null ? CompletableFuture.completedFuture(true) : held;
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
