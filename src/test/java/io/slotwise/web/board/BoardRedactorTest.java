package io.slotwise.web.board;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.money.Currency;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.queue.Queue;
import io.slotwise.live.record.GangRecord;
import io.slotwise.testing.ExampleDay;
import io.slotwise.testing.ExampleQueues;
import io.slotwise.web.access.NamespaceScope;
import io.slotwise.web.board.Board.Bar;
import io.slotwise.web.board.Board.Bar.State;
import io.slotwise.web.board.Board.GangRow;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BoardRedactorTest {
    private static final String MINE = "team-vision";

    private final Board whole = BoardRenderer.of(new ExampleDay().at(ExampleDay.LOOK));
    private final Board seen = BoardRedactor.over(whole, new NamespaceScope(false, Set.of(MINE)));

    private static String namespace(String name) {
        return name.substring(0, name.indexOf('/'));
    }

    @Test
    void aReaderOfEverythingSeesTheBoardUnchanged() {
        assertThat(BoardRedactor.over(whole, NamespaceScope.EVERYTHING)).isSameAs(whole);
    }

    @Test
    void theUseOfQueuesIsForReadersOfEverything() {
        Board board = BoardRenderer.of(new ExampleDay(ExampleQueues.queues()).at(ExampleDay.LOOK));
        Board redacted = BoardRedactor.over(board, new NamespaceScope(false, Set.of(MINE)));

        assertThat(board.queues()).isTrue();
        assertThat(whole.queues()).isFalse();
        assertThat(redacted.queues()).isFalse();
        assertThat(board.gangs()).extracting(GangRow::queue).contains("language", "weather", Queue.DEFAULT);
        assertThat(redacted.gangs()).extracting(GangRow::queue).containsOnly("vision");
    }

    @Test
    void noNameOfAHiddenNamespaceIsSaid() throws JsonProcessingException {
        String text = new ObjectMapper().writeValueAsString(seen);

        Set<String> hidden = whole.gangs().stream()
                .map(gang -> namespace(gang.id()))
                .filter(namespace -> !namespace.equals(MINE))
                .collect(Collectors.toSet());
        assertThat(hidden).hasSizeGreaterThan(1);
        hidden.forEach(namespace -> assertThat(text).doesNotContain(namespace));
        whole.gangs().stream()
                .filter(gang -> !namespace(gang.id()).equals(MINE))
                .forEach(gang -> assertThat(text)
                        .doesNotContain("\"" + gang.id().substring(gang.id().indexOf('/') + 1)));
    }

    @Test
    void onesOwnGangsAndBarsAreAsTheyWere() {
        assertThat(seen.gangs())
                .isNotEmpty()
                .containsExactlyElementsOf(whole.gangs().stream()
                        .filter(gang -> namespace(gang.id()).equals(MINE))
                        .toList());
        assertThat(seen.bars())
                .containsAll(whole.bars().stream()
                        .filter(bar ->
                                bar.gang() != null && namespace(bar.gang()).equals(MINE))
                        .toList());
        assertThat(seen.bars())
                .filteredOn(bar -> bar.gang() != null)
                .allMatch(bar -> namespace(String.valueOf(bar.gang())).equals(MINE));
    }

    /** Used room is no secret: at every second a node is as full as before. */
    @Test
    void usedRoomStaysUsed() {
        assertThat(seen.bars().stream().filter(bar -> bar.state() == State.TAKEN))
                .isNotEmpty();
        for (Board.Node node : whole.nodes()) {
            assertThat(edges(seen, node.name())).as(node.name()).isEqualTo(edges(whole, node.name()));
        }
    }

    private static Map<Long, Integer> edges(Board board, String node) {
        Map<Long, Integer> edges = new TreeMap<>();
        for (Bar bar : board.bars()) {
            Long end = bar.end();
            Integer share = bar.share();
            if (bar.node().equals(node) && share != null && end != null) {
                edges.merge(bar.start(), share, Integer::sum);
                edges.merge(end, -share, Integer::sum);
            }
        }
        edges.values().removeIf(share -> share == 0);
        return edges;
    }

    @Test
    void usedRoomDoesNotRevealItsOwner() {
        assertThat(seen.bars()).filteredOn(bar -> bar.state() == State.TAKEN).allSatisfy(bar -> {
            assertThat(bar.gang()).isNull();
            assertThat(bar.pod()).isNull();
            assertThat(bar.cost()).isNull();
            assertThat(bar.overrun()).isNull();
            assertThat(bar.count()).isEqualTo(1);
            assertThat(bar.id()).startsWith("T|" + bar.node() + "|");
        });
        assertThat(seen.bars()).extracting(Bar::id).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @ValueSource(strings = {"train", "week-1", "month-end-close", "prüfung-ä"})
    void aReasonNamesOnlyGangsThatTheReaderMaySee(String name) throws JsonProcessingException {
        GangId gang = new GangId(MINE, "g");
        Refusal behind = new Refusal.BehindPromises(new GangId("secret", name), ExampleDay.LOOK, 0);
        BoardInput day = new ExampleDay().at(ExampleDay.LOOK);
        Board board = BoardRenderer.of(new BoardInput(
                        day.now(),
                        day.policy(),
                        day.snapshot(),
                        List.of(GangRecord.first(gang, ExampleDay.LOOK).refused(behind, ExampleDay.LOOK)),
                        Set.of(),
                        day.planner(),
                        Map.of(),
                        Currency.NONE)
                .pending(List.of(new Pending(gang, behind))));

        Board mine = BoardRedactor.over(board, new NamespaceScope(false, Set.of(MINE)));

        assertThat(board.gangs())
                .singleElement()
                .satisfies(row -> assertThat(row.message()).contains("secret/" + name));
        assertThat(new ObjectMapper()
                        .readTree(new ObjectMapper().writeValueAsString(mine))
                        .at("/gangs/0/message")
                        .asText())
                .startsWith("behind promised gangs: a gang of another namespace, which starts at");
        assertThat(new ObjectMapper().writeValueAsString(mine)).doesNotContain("secret", name);
    }

    @Test
    void clusterWideFiguresAreLeftOut() {
        assertThat(seen.batch()).isNull();
        assertThat(seen.income()).isEmpty();
        assertThat(seen.notes()).isEmpty();
        assertThat(seen.totals().promises()).isNull();
        assertThat(seen.totals().busy()).isEqualTo(whole.totals().busy());
        assertThat(seen.nodes()).isEqualTo(whole.nodes());
        assertThat(seen.totals().waiting()
                        + seen.totals().promised()
                        + seen.totals().starting()
                        + seen.totals().running()
                        + seen.totals().completed())
                .isEqualTo(seen.gangs().size());
    }

    @Test
    void podsOfHiddenNamespacesThatSlotwiseDidNotPlaceAreTakenRoomToo() {
        Bar foreign = new Bar("F|x", "n1", null, "secret/p", 3, 10, 20L, State.FOREIGN, null, 250, null);
        Bar agents = new Bar("F||n1", "n1", null, "secret/agent", 2, 5, null, State.FOREIGN, null, 10, true);
        Bar mine = new Bar("F|y", "n1", null, MINE + "/p", 1, 10, 20L, State.FOREIGN, null, 100, null);
        Board board = new Board(
                true,
                true,
                12,
                100,
                whole.batch(),
                List.of(),
                List.of(),
                List.of(foreign, agents, mine),
                List.of(),
                List.of(),
                whole.totals(),
                List.of(),
                "EUR",
                null,
                false);

        List<Bar> bars = BoardRedactor.over(board, new NamespaceScope(false, Set.of(MINE)))
                .bars();

        assertThat(bars)
                .containsExactlyInAnyOrderElementsOf(Arrays.asList(
                        new Bar("T|n1|10|20", "n1", null, null, 1, 10, 20L, State.TAKEN, null, 250, null),
                        new Bar("T|n1||", "n1", null, null, 1, 5, null, State.TAKEN, null, 10, null),
                        mine));
    }
}
