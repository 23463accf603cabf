package io.slotwise.it.browser;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.plan.Deliberation;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.Quoter;
import io.slotwise.core.plan.Request;
import io.slotwise.core.window.Window;
import io.slotwise.testing.ExampleDay;
import io.slotwise.web.FakeCluster;
import io.slotwise.web.board.Board;
import io.slotwise.web.board.BoardSource;
import io.slotwise.web.board.Drawing;
import io.slotwise.web.board.Scene;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Alternative;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The cluster that the pages show: whatever scene a test sets, in a time that stands still; and what it answers to a page's questions. */
@Alternative
@Singleton
public class ExampleCluster implements BoardSource {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String GANGS = "/api/v1/gangs/";
    private static final int BEFORE_THE_PROGRAM = 800;

    private final ExampleDay day = new ExampleDay();
    private volatile Scene scene = day.at(ExampleDay.LOOK);
    private volatile boolean answers = true;
    private volatile boolean runs;

    /** Shows the example day at a second. */
    void showDay(long second) {
        show(day.at(second));
    }

    /** Shows another scene. */
    void show(Scene other) {
        scene = other;
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

    void register(@Observes Filters filters) {
        filters.register(this::answer, BEFORE_THE_PROGRAM);
    }

    private void answer(RoutingContext call) {
        String path = call.normalizedPath();
        if (path.startsWith(GANGS)) {
            json(call, answers, answers ? gang(path.substring(GANGS.length())) : "");
        } else if (path.equals("/api/v1/quote")) {
            json(call, answers, answers ? quote() : "");
        } else {
            call.next();
        }
    }

    private static void json(RoutingContext call, boolean found, String body) {
        var _ = call.response()
                .setStatusCode(found ? 200 : 404)
                .putHeader("Content-Type", "application/json")
                .end(body);
    }

    private String gang(String id) {
        Deliberation choice = day.plan().choices().stream()
                .filter(one -> one.gang().toString().equals(id))
                .findFirst()
                .orElse(null);
        if (choice == null) {
            return "{}";
        }
        List<Map<String, Object>> alternatives = new ArrayList<>();
        for (int i = 0; i < choice.alternatives().size(); i++) {
            Window window = choice.alternatives().get(i);
            alternatives.add(Map.of(
                    "start", Instant.ofEpochSecond(window.start()).toString(),
                    "end", Instant.ofEpochSecond(window.end()).toString(),
                    "cost", window.cost().roundedUp().toString(),
                    "chosen", i == choice.chosen()));
        }
        Map<String, Object> chosen = Map.of("alternatives", alternatives, "lossPercent", "0", "why", choice.reason());
        return text(Map.of("gang", id, "attempts", 0, "choice", chosen, "advice", advice(id)));
    }

    /** The most pods with which the gang could start earlier than it is promised to. */
    private List<Map<String, Object>> advice(String id) {
        Planned planned = day.plan().windows().stream()
                .filter(one -> one.gang().id().toString().equals(id))
                .findFirst()
                .orElseThrow();
        for (int pods = planned.gang().size() - 1; pods > 0; pods--) {
            for (Window window : menu(first(planned.gang(), pods))) {
                if (window.start() < planned.window().start()) {
                    return List.of(Map.of(
                            "change", "gang-size",
                            "value", String.valueOf(pods),
                            "start", Instant.ofEpochSecond(window.start()).toString(),
                            "cost", window.cost().roundedUp().toString()));
                }
            }
        }
        return List.of();
    }

    private static Gang first(Gang gang, int pods) {
        return new Gang(
                gang.id(),
                gang.pods().subList(0, pods),
                gang.request(),
                gang.budget(),
                gang.criterion(),
                gang.earliestStart(),
                gang.deadline(),
                gang.topology(),
                gang.maxPerNode(),
                gang.lockstep(),
                gang.priority(),
                gang.arrival());
    }

    private List<Window> menu(Gang gang) {
        Scene now = scene;
        List<Request> requests = new ArrayList<>(now.snapshot().requests());
        requests.removeIf(request -> request.gang().id().equals(gang.id()));
        requests.add(new Request(gang, null));
        return new Quoter(now.policy()).menu(now.snapshot().with(requests), gang.id());
    }

    private static String text(Object value) {
        try {
            return JSON.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("A map must be writable.", e);
        }
    }

    private String quote() {
        Gang gang = day.plan().windows().stream()
                .map(planned -> planned.gang())
                .filter(planned -> planned.id().name().equals("risk-nightly"))
                .findFirst()
                .orElseThrow();
        return text(Map.of(
                "now", Instant.ofEpochSecond(scene.now()).toString(),
                "budget", String.valueOf(gang.budget().total()),
                "menu", menu(gang).stream().map(window -> row(gang, window)).toList()));
    }

    private static Map<String, Object> row(Gang gang, Window window) {
        return Map.of(
                "start", Instant.ofEpochSecond(window.start()).toString(),
                "end", Instant.ofEpochSecond(window.end()).toString(),
                "cost", window.cost().roundedUp().toString(),
                "runtimeSeconds", window.runtime(),
                "withinBudget", window.cost().compareTo(gang.budget().limit()) <= 0);
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
