package io.slotwise.web;

import io.slotwise.core.text.SafeText;
import io.slotwise.kubernetes.manifest.field.GangKey;
import io.slotwise.kubernetes.manifest.field.InvalidField;
import io.slotwise.kubernetes.manifest.inquiry.ReservationManifest;
import io.slotwise.live.cycle.Replica;
import io.slotwise.web.access.CallerAccess;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.Response.Status;
import jakarta.ws.rs.core.UriInfo;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The manifest of an advance reservation that the query describes with the options of {@code slotwise reserve}. Nothing
 * is created: users apply the manifest with their own rights.
 */
@Path("/api/v1/reservation-manifest")
@Produces(MediaType.APPLICATION_JSON)
public final class ReservationManifestResource {
    private static final List<String> SEAT = List.of("cpu", "memory", "ephemeral-storage");
    private static final Set<String> TERMS = Stream.concat(
                    Stream.of("name", "namespace", ReservationManifest.SIZE, ReservationManifest.START),
                    GangKey.reserved().map(GangKey::word))
            .collect(Collectors.toUnmodifiableSet());

    private final Replica replica;

    ReservationManifestResource(Replica replica) {
        this.replica = replica;
    }

    @GET
    public Response manifest(@Context RoutingContext call, @Context UriInfo uri) {
        // The answer does not depend on the caller, but the caller must be authenticated.
        var _ = CallerAccess.of(call);
        try {
            return Response.ok(Map.of(
                            "manifest",
                            manifest(
                                    uri.getQueryParameters(),
                                    replica.clock().instant().getEpochSecond())))
                    .build();
        } catch (InvalidField e) {
            return Problem.of(Status.BAD_REQUEST, e.getMessage(), e.field());
        }
    }

    /**
     * Returns the manifest as YAML; {@code now} is seconds since the epoch.
     *
     * @throws InvalidField naming the field that cannot be parsed
     */
    static String manifest(MultivaluedMap<String, String> query, long now) {
        Map<String, String> terms = new TreeMap<>();
        Map<String, String> seat = new TreeMap<>();
        query.forEach((field, values) -> {
            if (values.size() > 1) {
                throw new InvalidField(
                        SafeText.value(field),
                        "`%s` is given %d times: expected it once".formatted(SafeText.value(field), values.size()));
            }
            if (!TERMS.contains(field) && !SEAT.contains(field) && field.indexOf('/') <= 0) {
                throw new InvalidField(
                        SafeText.value(field),
                        ("`%s` (%s) is not known: expected one of %s, or a resource of a seat such as cpu or "
                                        + "nvidia.com/gpu")
                                .formatted(
                                        SafeText.value(field),
                                        SafeText.value(values.getFirst()),
                                        String.join(
                                                ", ", TERMS.stream().sorted().toList())));
            }
            (TERMS.contains(field) ? terms : seat).put(field, values.getFirst());
        });
        String namespace = need(terms, "namespace");
        String name = need(terms, "name");
        need(terms, ReservationManifest.SIZE);
        return ReservationManifest.of(namespace, name, new ReservationManifest.Words(terms, seat, Map.of()), now)
                .yaml();
    }

    private static String need(Map<String, String> terms, String field) {
        String value = terms.get(field);
        if (value == null) {
            throw new InvalidField(field, "`%s` is missing: expected a value".formatted(field));
        }
        return value;
    }
}
