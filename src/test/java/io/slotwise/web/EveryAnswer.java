package io.slotwise.web;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.slotwise.core.plan.Request;
import io.slotwise.live.cycle.PlanningLoop.Latest;
import io.slotwise.live.port.ClusterView;
import io.slotwise.live.record.GangRecord;
import io.slotwise.report.GangListReport;
import io.slotwise.report.JsonReport;
import io.slotwise.report.PlanReport;
import io.slotwise.report.QueueReport;
import io.slotwise.report.Terminal;
import io.slotwise.web.access.NamespaceScope;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** Asks the API for all answers about a replica's gangs. */
public final class EveryAnswer {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** The number of gangs for which advice is requested. Advice plans again for each change that might help. */
    private static final int ADVISED = 3;

    private EveryAnswer() {}

    /**
     * A document of the API.
     *
     * @param schema its name in the API's description
     * @param json its text
     */
    public record Document(String schema, String json) {}

    /**
     * The answers of the replica that plans and of one that does not. Each gang is answered as for a reader of its
     * namespace.
     */
    public static List<GangAnswer> of(Latest latest, ClusterView view, InstantSource clock) {
        return of(latest, view, clock, new ArrayList<>());
    }

    /** The answers as sent, with the plan, the lists of gangs and the quotes. */
    public static List<Document> documents(Latest latest, ClusterView view, InstantSource clock) {
        List<Document> documents = new ArrayList<>();
        of(latest, view, clock, documents);
        return documents;
    }

    private static List<GangAnswer> of(Latest latest, ClusterView view, InstantSource clock, List<Document> documents) {
        GangAnswers planner = new GangAnswers(() -> latest, view, clock);
        GangAnswers follower = new GangAnswers(() -> null, view, clock);
        documents.add(new Document(
                "Plan",
                JsonReport.write(PlanReport.of(
                        PlanResource.seen(latest, NamespaceScope.EVERYTHING),
                        latest.snapshot(),
                        latest.settings().policy(),
                        latest.settings().currency()))));
        List<GangAnswer> given = new ArrayList<>();
        for (GangAnswers answers : List.of(planner, follower)) {
            GangListReport gangs = new GangListReport(answers.rows(_ -> true, _ -> true)).at(answers.now());
            documents.add(new Document("Gangs", gangs.json()));
            check(QueueReport.of(gangs, List.of(), null, QueueReport.Order.START)
                    .table(new Terminal(120, false, true), 0));
            int advised = answers == planner ? ADVISED : 0;
            for (GangRecord record : view.records().stream()
                    .sorted(Comparator.comparing(GangRecord::gang))
                    .toList()) {
                NamespaceScope scope =
                        new NamespaceScope(false, Set.of(record.gang().namespace()));
                answers.gang(record.gang(), advised-- > 0, scope).ifPresent(given::add);
            }
        }
        given.forEach(answer -> documents.add(new Document("Gang", json(answer))));
        for (Request request : latest.snapshot().requests()) {
            NamespaceScope scope =
                    new NamespaceScope(false, Set.of(request.gang().id().namespace()));
            documents.add(new Document(
                    "Quote", planner.quote(latest, request.gang(), true, scope).json()));
        }
        documents.forEach(document -> check(document.json()));
        return given;
    }

    private static void check(String text) {
        if (text.isBlank()) {
            throw new AssertionError("An answer must say something.");
        }
    }

    private static String json(GangAnswer answer) {
        try {
            return JSON.writeValueAsString(answer);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }
}
