package io.slotwise.web.access;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** The sign-in and sign-out of browsers. */
@Path(AccessFilter.SESSION)
@Produces(MediaType.APPLICATION_JSON)
public final class SessionResource {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Authenticator authenticator;

    SessionResource(Authenticator authenticator) {
        this.authenticator = authenticator;
    }

    /** Returns {@code {"auth": "kubernetes", "user": NAME, "signedIn": true}}, or {@code {"auth": "none"}}. */
    @GET
    public Response get(@Context RoutingContext call) {
        CallerAccess access = CallerAccess.of(call);
        String name = access.name();
        return answer(
                name == null
                        ? Map.of("auth", "none")
                        : Map.of("auth", "kubernetes", "user", name, "signedIn", access.isSignedIn()));
    }

    /** Sets a cookie for {@code {"token": TOKEN}}. */
    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    public Response post(@Context RoutingContext call, String body) {
        if (!authenticator.guarded()) {
            throw AccessDenied.wrong("authentication is off: there is nothing to sign in to");
        }
        SameOrigin.require(call.request());
        String token = token(body);
        CallerAccess access = authenticator.access(new Credentials(token, true));
        access.scope();
        call.response().addCookie(authenticator.sessions().of(token, Authenticator.isSecure(call.request())));
        return answer(Map.of("user", String.valueOf(access.name())));
    }

    @DELETE
    public Response delete(@Context RoutingContext call) {
        SameOrigin.require(call.request());
        call.response().addCookie(SessionCookie.gone(Authenticator.isSecure(call.request())));
        return Response.noContent().build();
    }

    private static Response answer(Map<String, Object> body) {
        return Response.ok(body).build();
    }

    private static String token(String body) {
        JsonNode token;
        try {
            token = JSON.readTree(body).path("token");
        } catch (JsonProcessingException e) {
            throw AccessDenied.wrong("the body is not JSON: expected {\"token\": TOKEN}");
        }
        String text = token.asText("").strip();
        if (!token.isTextual() || text.isEmpty()) {
            throw AccessDenied.wrong(
                    "`token` is missing: expected a token of the cluster, such as the output of `kubectl "
                            + "create token`");
        }
        int length = text.getBytes(StandardCharsets.UTF_8).length;
        if (length > SessionCookie.LONGEST_TOKEN) {
            throw AccessDenied.wrong("`token` has %d bytes: expected at most %d, which a browser's cookie can hold"
                    .formatted(length, SessionCookie.LONGEST_TOKEN));
        }
        return text;
    }
}
