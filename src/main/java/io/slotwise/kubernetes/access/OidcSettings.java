package io.slotwise.kubernetes.access;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An issuer of OpenID Connect whose tokens count beside those of the cluster. The settings are those of kube-apiserver,
 * so that where it knows the same issuer a person has the same name and groups here as there.
 *
 * @param issuer its address, exactly as its tokens name it
 * @param audiences of which a token must have one: the ids of clients whose tokens are taken
 * @param userClaim the claim and prefix of the user's name
 * @param groupsClaim those of the groups
 * @param authority certificates that the issuer's own is checked by, PEM; null: the JVM's
 */
public record OidcSettings(
        URI issuer,
        List<String> audiences,
        Claim userClaim,
        Claim groupsClaim,
        @Nullable Path authority) {
    private static final String KEY = "slotwise.auth.oidc.";
    private static final String ISSUER = KEY + "issuer";
    private static final String AUDIENCES = KEY + "audiences";
    private static final String NO_PREFIX = "-";
    private static final String EMAIL = "email";
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    /** A claim of a token, and what is put before its value. */
    public record Claim(String name, String prefix) {
        public Claim {
            if (name.isBlank()) {
                throw new IllegalArgumentException(
                        "A claim of %s has no name: expected one such as `sub` or `groups`".formatted(KEY));
            }
        }
    }

    public OidcSettings {
        audiences = List.copyOf(audiences);
        String scheme = String.valueOf(issuer.getScheme()).toLowerCase(Locale.ROOT);
        // Over plain HTTP any third party on the way could sign tokens; on the same host there is none on the way.
        boolean safe = scheme.equals("https") || (scheme.equals("http") && LOOPBACK.contains(issuer.getHost()));
        if (!safe || issuer.getHost() == null || issuer.getQuery() != null || issuer.getFragment() != null) {
            throw new IllegalArgumentException(
                    ("%s (%s) is not an issuer: expected an address https://HOST/PATH without a query, as in "
                                    + "the `iss` of its tokens")
                            .formatted(ISSUER, issuer));
        }
        if (audiences.isEmpty() || audiences.stream().anyMatch(String::isBlank)) {
            throw new IllegalArgumentException(
                    ("%s (%s) names no audience for %s: expected a client id, so that tokens for other "
                                    + "clients are rejected")
                            .formatted(AUDIENCES, String.join(",", audiences), issuer));
        }
    }

    /**
     * What the admin has set; null: no issuer.
     *
     * @param property a property by its name, if it is set
     * @throws IllegalArgumentException if it cannot be used; the message names the property and what was expected
     */
    public static @Nullable OidcSettings of(Function<String, Optional<String>> property) {
        String issuer = value(property, "issuer", "");
        if (issuer.isEmpty()) {
            return null;
        }
        String user = value(property, "username-claim", "sub");
        String prefix = value(property, "username-prefix", user.equals(EMAIL) ? "" : issuer + "#");
        String authority = value(property, "ca-file", "");
        return new OidcSettings(
                address(issuer),
                List.of(value(property, "audiences", "").split("\\s*,\\s*", -1)),
                new Claim(user, prefix.equals(NO_PREFIX) ? "" : prefix),
                new Claim(value(property, "groups-claim", "groups"), value(property, "groups-prefix", "")),
                authority.isEmpty() ? null : Path.of(authority));
    }

    private static URI address(String issuer) {
        try {
            return URI.create(issuer);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "%s (%s) is not an address: expected https://HOST/PATH".formatted(ISSUER, issuer), e);
        }
    }

    private static String value(Function<String, Optional<String>> property, String name, String otherwise) {
        return property.apply(KEY + name)
                .map(String::strip)
                .filter(text -> !text.isEmpty())
                .orElse(otherwise);
    }

    /** Whether the claim of the user is an address of mail, which the issuer may not have verified. */
    boolean namesByMail() {
        return userClaim.name().equals(EMAIL);
    }
}
