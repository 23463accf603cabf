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
 * An OpenID Connect issuer whose tokens are accepted in addition to the cluster's. The settings are those of
 * kube-apiserver: where it uses the same issuer, users have the same names and groups.
 *
 * @param issuer its address, exactly as in its tokens
 * @param audiences client IDs of which a token must have one as its audience
 * @param userClaim the claim and prefix of the user's name
 * @param groupsClaim the claim and prefix of the groups
 * @param authority the certificates that verify the issuer's certificate, PEM; null for those of the JVM
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

    /** A claim of a token, and the prefix of its value. */
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
        // Over plain HTTP a third party could forge the keys, except on the same host.
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
     * Reads the admin's settings; null without an issuer.
     *
     * @param property returns a property by its name
     * @throws IllegalArgumentException if a property is invalid; the message names it and what was expected
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

    /** Returns whether the user's claim is an email address, which the issuer may not have verified. */
    boolean namesByMail() {
        return userClaim.name().equals(EMAIL);
    }
}
