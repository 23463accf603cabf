package io.slotwise.web;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Request;
import io.slotwise.core.text.SafeText;
import io.slotwise.kubernetes.manifest.field.InvalidField;
import io.slotwise.kubernetes.manifest.inquiry.Inquiry;
import io.slotwise.live.cycle.PlanningLoop.Latest;
import io.slotwise.live.cycle.Replica;
import io.slotwise.live.settings.CurrentSettings;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.web.access.CallerAccess;
import io.slotwise.web.access.CallerTurns;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.Response.Status;
import jakarta.ws.rs.core.UriInfo;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/**
 * The possible windows of a gang with their prices: the rows of {@code slotwise quote -o json}. The gang is a waiting
 * one ({@code gang=NAMESPACE/NAME}), also in another queue ({@code queue=NAME}), or is described by the fields of
 * {@link Inquiry}. In the body of a POST its
 * resources may be an object {@code resources}, and its node selector may be an object.
 */
@Path("/api/v1/quote")
@Produces(MediaType.APPLICATION_JSON)
public final class QuoteResource {
    private static final String GANG = "gang";
    private static final String RESOURCES = "resources";
    private static final int LONGEST_BODY = 1 << 16;
    private static final ObjectMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(
                            StreamReadConstraints.builder().maxNestingDepth(16).build())
                    .build())
            .build();

    private final Replica replica;
    private final CurrentSettings settings;
    private final GangAnswers answers;
    private final CallerTurns turns;

    QuoteResource(Replica replica, GangAnswers answers, CallerTurns turns, CurrentSettings settings) {
        this.turns = turns;
        this.replica = replica;
        this.settings = settings;
        this.answers = answers;
    }

    @GET
    public Response get(@Context RoutingContext call, @Context UriInfo uri) {
        return answer(CallerAccess.of(call), () -> fields(uri.getQueryParameters()));
    }

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    public Response post(@Context RoutingContext call, InputStream body) throws IOException {
        byte[] bytes = body.readNBytes(LONGEST_BODY + 1);
        return bytes.length > LONGEST_BODY
                ? Problem.of(
                        Status.REQUEST_ENTITY_TOO_LARGE,
                        "the body is too long: expected at most %d bytes".formatted(LONGEST_BODY))
                : answer(CallerAccess.of(call), () -> fields(new String(bytes, StandardCharsets.UTF_8)));
    }

    /** Parses a question or throws. */
    private interface Reading {
        Map<String, String> fields();
    }

    /** Returns the settings with the levels of the last plan. */
    private LoopSettings leveledSettings() {
        Latest latest = replica.latest();
        return latest == null
                ? settings.get()
                : settings.get().withTopology(latest.snapshot().levels());
    }

    private Response answer(CallerAccess access, Reading reading) {
        try {
            Map<String, String> fields = reading.fields();
            String known = fields.get(GANG);
            if (known == null) {
                access.requireQuoteIn(fields.get(Inquiry.NAMESPACE));
            } else {
                access.requireGangsOf(id(known).namespace());
            }
            Gang describedGang = known == null
                    ? new Inquiry(leveledSettings())
                            .gang(fields, replica.clock().instant().getEpochSecond())
                    : null;
            if (describedGang != null) {
                // The menu reveals when these gangs end.
                describedGang.after().gangs().forEach(before -> access.requireGangsOf(before.namespace()));
            }
            boolean ofANamespace = known != null || fields.get(Inquiry.NAMESPACE) != null;
            return turns.take(access.share(), () -> {
                Latest latest = replica.latest();
                if (latest == null) {
                    return Problem.of(Status.SERVICE_UNAVAILABLE, Problem.NOT_PLANNING);
                }
                Gang gang = describedGang == null
                        ? waiting(latest, String.valueOf(known), fields)
                        : Inquiry.withQueues(describedGang, latest.snapshot().queues());
                return Response.ok(answers.quote(latest, gang, ofANamespace, access.seen())
                                .json())
                        .build();
            });
        } catch (InvalidField e) {
            return Problem.of(Status.BAD_REQUEST, e.getMessage(), e.field());
        } catch (IllegalArgumentException e) {
            return Problem.of(Status.BAD_REQUEST, e.getMessage());
        }
    }

    private static Gang waiting(Latest latest, String name, Map<String, String> fields) {
        TreeMap<String, String> others = new TreeMap<>(fields);
        others.remove(GANG);
        String queue = others.remove(Inquiry.QUEUE);
        if (!others.isEmpty()) {
            throw new InvalidField(
                    GANG,
                    "`%s` (%s) is given together with %s: expected it alone, or with `%s`"
                            .formatted(GANG, SafeText.value(name), String.join(", ", others.keySet()), Inquiry.QUEUE));
        }
        GangId id = id(name);
        return latest.snapshot().requests().stream()
                .map(Request::gang)
                .filter(gang -> gang.id().equals(id))
                .findFirst()
                .map(gang -> Inquiry.inQueue(gang, queue, latest.snapshot().queues()))
                .orElseThrow(() -> new InvalidField(
                        GANG,
                        "`%s` (%s) is not a gang that can be planned: expected one that waits or is promised"
                                .formatted(GANG, SafeText.value(name))));
    }

    private static GangId id(String name) {
        int slash = name.indexOf('/');
        if (slash <= 0 || slash == name.length() - 1) {
            throw new InvalidField(
                    GANG, "`%s` (%s) is not valid: expected NAMESPACE/NAME".formatted(GANG, SafeText.value(name)));
        }
        return new GangId(name.substring(0, slash), name.substring(slash + 1));
    }

    private static Map<String, String> fields(MultivaluedMap<String, String> query) {
        Map<String, String> fields = new TreeMap<>();
        query.forEach((name, values) -> {
            if (values.size() > 1) {
                throw new InvalidField(
                        SafeText.value(name),
                        "`%s` is given %d times: expected it once".formatted(SafeText.value(name), values.size()));
            }
            fields.put(name, values.getFirst());
        });
        return fields;
    }

    private static Map<String, String> fields(String body) {
        JsonNode document;
        try {
            document = JSON.readTree(body);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    "the body is not JSON (%s): expected an object".formatted(SafeText.value(e.getOriginalMessage())),
                    e);
        }
        if (!document.isObject()) {
            throw new IllegalArgumentException(
                    "the body is not a JSON object: expected fields such as size and runtime");
        }
        Map<String, String> fields = new TreeMap<>();
        document.properties().forEach(entry -> add(fields, entry.getKey(), entry.getValue()));
        return fields;
    }

    private static void add(Map<String, String> fields, String name, JsonNode value) {
        if (value.isNull()) {
            return;
        }
        if (name.equals(RESOURCES) && value.isObject()) {
            value.properties().forEach(entry -> add(fields, entry.getKey(), entry.getValue()));
        } else if (name.equals(Inquiry.NODE_SELECTOR) && value.isObject()) {
            fields.put(
                    name,
                    String.join(
                            ",",
                            value.properties().stream()
                                    .map(entry -> entry.getKey() + "="
                                            + entry.getValue().asText())
                                    .toList()));
        } else if (value.isValueNode()) {
            fields.put(name, value.asText());
        } else {
            throw new InvalidField(
                    SafeText.value(name),
                    "`%s` (%s) is not valid: expected a text or a number"
                            .formatted(SafeText.value(name), SafeText.value(value.toString())));
        }
    }
}
