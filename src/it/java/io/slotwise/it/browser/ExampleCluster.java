package io.slotwise.it.browser;

import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.slotwise.core.gang.GangId;
import io.slotwise.live.cycle.GangDiary;
import io.slotwise.live.cycle.PlanningLoop.Latest;
import io.slotwise.live.cycle.Replica;
import io.slotwise.live.port.ClusterView;
import io.slotwise.live.port.EventRecorder.Announcement;
import io.slotwise.live.port.EventRecorder.Reason;
import io.slotwise.live.record.GangRecord;
import io.slotwise.testing.ExampleDay;
import io.slotwise.testing.GangsView;
import io.slotwise.web.FakeCluster;
import io.slotwise.web.board.Board;
import io.slotwise.web.board.BoardInput;
import io.slotwise.web.board.BoardRenderer;
import io.slotwise.web.board.BoardSource;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Alternative;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The cluster behind the pages: a board that a test sets, at a fixed time. The program computes the answers about its
 * gangs, and their quotes.
 */
@Alternative
@Singleton
public class ExampleCluster implements BoardSource, Replica {
    private static final int BEFORE_THE_PROGRAM = 800;

    private final ExampleDay day = new ExampleDay();
    private final GangsView view = new GangsView(() -> input().records());
    private final InstantSource clock = () -> Instant.ofEpochSecond(input().now());
    private volatile BoardInput input = day.at(ExampleDay.LOOK);
    private volatile Latest latest = day.latest(ExampleDay.LOOK);
    private volatile boolean answers = true;
    private volatile boolean runs;

    void showDay(long second) {
        showDay(day, second);
    }

    void showDay(ExampleDay other, long second) {
        latest = other.latest(second);
        show(other.at(second));
    }

    void show(BoardInput other) {
        input = other;
    }

    private BoardInput input() {
        return input;
    }

    /** Sets whether time passes, as in a real cluster. */
    void runs(boolean does) {
        runs = does;
    }

    /** Sets whether gangs and quotes are answered. */
    void answers(boolean does) {
        answers = does;
    }

    @Override
    public Board board() {
        return BoardRenderer.of(input);
    }

    @Override
    public Moment moment() {
        return new Moment(clock.millis(), speed());
    }

    @Override
    public ClusterView view() {
        return view;
    }

    @Override
    public Latest latest() {
        return latest;
    }

    @Override
    public List<GangDiary.Entry> told(GangId gang) {
        GangRecord record = view.record(gang);
        return record == null || record.promise() == null
                ? List.of()
                : List.of(new GangDiary.Entry(
                        record.history().seen() + 2,
                        new Announcement(
                                Reason.WINDOW_PROMISED, record.plannedAspect().message())));
    }

    @Override
    public boolean leads() {
        return true;
    }

    @Override
    public boolean proceeds() {
        return true;
    }

    @Override
    public boolean alive() {
        return true;
    }

    @Override
    public InstantSource clock() {
        return clock;
    }

    @Override
    public int speed() {
        return runs ? 1 : 0;
    }

    @Override
    public boolean extendsScheduler() {
        return false;
    }

    /** The tests tell the board themselves what they changed. */
    @Override
    public void onChange(Runnable listener) {}

    @Override
    public void start() {}

    @Override
    public void close() {}

    void register(@Observes Filters filters) {
        filters.register(this::answer, BEFORE_THE_PROGRAM);
    }

    /** Without answers, the cluster is like a program that does not know these addresses. */
    private void answer(RoutingContext call) {
        String path = call.normalizedPath();
        if (!answers && (path.startsWith("/api/v1/gangs/") || path.equals("/api/v1/quote"))) {
            var _ = call.response().setStatusCode(404).end();
        } else {
            call.next();
        }
    }

    /** The program with this cluster instead of a real one. */
    public static final class Profile implements QuarkusTestProfile {
        private final FakeCluster.Profile fake = new FakeCluster.Profile();

        @Override
        public Set<Class<?>> getEnabledAlternatives() {
            return Set.of(FakeCluster.class, ExampleCluster.class);
        }

        @Override
        public Map<String, String> getConfigOverrides() {
            return fake.getConfigOverrides();
        }
    }
}
