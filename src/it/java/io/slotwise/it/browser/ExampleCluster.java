package io.slotwise.it.browser;

import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.slotwise.core.gang.Gang;
import io.slotwise.kubernetes.manifest.Inquiry;
import io.slotwise.live.PlanningLoop.Latest;
import io.slotwise.testing.ExampleDay;
import io.slotwise.web.Answers;
import io.slotwise.web.FakeCluster;
import io.slotwise.web.board.Board;
import io.slotwise.web.board.BoardSource;
import io.slotwise.web.board.Drawing;
import io.slotwise.web.board.Scene;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Alternative;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The cluster that the pages show: whatever scene a test sets, in a time that stands still. What is said of its gangs and quoted is worked out by
 * the program.
 */
@Alternative
@Singleton
public class ExampleCluster implements BoardSource {
    private static final String GANGS = "/api/v1/gangs/";
    private static final String QUOTE = "/api/v1/quote";
    private static final int BEFORE_THE_PROGRAM = 800;

    private final ExampleDay day = new ExampleDay();
    private final Answers program = new Answers(this::latest, new SceneView(this::scene));
    private volatile Scene scene = day.at(ExampleDay.LOOK);
    private volatile Latest latest = day.latest(ExampleDay.LOOK);
    private volatile boolean answers = true;
    private volatile boolean runs;

    /** Shows the example day at a second. */
    void showDay(long second) {
        latest = day.latest(second);
        show(day.at(second));
    }

    /** Shows another scene. */
    void show(Scene other) {
        scene = other;
    }

    private Scene scene() {
        return scene;
    }

    private Latest latest() {
        return latest;
    }

    /** Whether its time runs, as that of a real cluster. */
    void runs(boolean does) {
        runs = does;
    }

    /** Whether it answers for a gang and for a quote. */
    void answers(boolean does) {
        answers = does;
    }

    @Override
    public Board board() {
        return Drawing.of(scene);
    }

    @Override
    public Moment moment() {
        return new Moment(scene.now() * 1000, runs ? 1 : 0);
    }

    @Produces
    @Singleton
    Answers program() {
        return program;
    }

    void register(@Observes Filters filters) {
        filters.register(this::answer, BEFORE_THE_PROGRAM);
    }

    /** The planning loop, which quotes ask for the last plan, does not run here. */
    private void answer(RoutingContext call) {
        String path = call.normalizedPath();
        if (!answers && (path.startsWith(GANGS) || path.equals(QUOTE))) {
            var _ = call.response().setStatusCode(404).end();
        } else if (path.equals(QUOTE)) {
            call.vertx().executeBlocking(() -> quote(call), false).onComplete(quote -> {
                var _ = call.response()
                        .putHeader("Content-Type", "application/json")
                        .end(quote.result());
            });
        } else {
            call.next();
        }
    }

    private String quote(RoutingContext call) {
        Map<String, String> fields = new TreeMap<>();
        call.queryParams().forEach(fields::put);
        Gang gang = new Inquiry(latest.settings()).gang(fields, scene.now());
        return program.quote(latest, gang).json();
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
