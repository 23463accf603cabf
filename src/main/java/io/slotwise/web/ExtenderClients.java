package io.slotwise.web;

import jakarta.inject.Singleton;
import java.security.Principal;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jspecify.annotations.Nullable;

/**
 * Who may call the extender over TLS: the common names of client certificates, which the trust store has vouched for by the time that
 * they are looked at.
 */
@Singleton
final class ExtenderClients {
    private static final String NAMES = "slotwise.extender.client-names";

    private final Set<String> names;

    /**
     * Clients of these names.
     *
     * @param tls the TLS configuration of the HTTP server; empty: it has none
     * @throws IllegalArgumentException if there are names and nobody can show a certificate
     */
    ExtenderClients(
            @ConfigProperty(name = NAMES) Optional<List<String>> names,
            @ConfigProperty(name = "quarkus.http.tls-configuration-name") Optional<String> tls) {
        this.names = Set.copyOf(names.orElse(List.of()));
        if (!this.names.isEmpty() && tls.isEmpty()) {
            throw new IllegalArgumentException(
                    "%s (%s) needs TLS: expected the profile extender-tls and slotwise.extender.tls, a folder with tls.crt, tls.key and ca.crt"
                            .formatted(NAMES, String.join(", ", names.orElse(List.of()))));
        }
    }

    /** Whether nobody is named. */
    boolean none() {
        return names.isEmpty();
    }

    /** Whether the client of a connection has shown a certificate with one of the names. */
    boolean knows(SSLSession session) {
        try {
            String name = commonName(session.getPeerPrincipal());
            return name != null && names.contains(name);
        } catch (SSLPeerUnverifiedException e) {
            return false;
        }
    }

    /** The only common name of a certificate's subject; null: it has none, or it is not clear which. */
    static @Nullable String commonName(Principal subject) {
        List<Rdn> parts;
        try {
            parts = new LdapName(subject.getName()).getRdns();
        } catch (InvalidNameException e) {
            return null;
        }
        List<Rdn> common = parts.stream()
                .filter(part -> part.getType().equalsIgnoreCase("CN"))
                .toList();
        boolean clear = common.size() == 1 && parts.stream().allMatch(part -> part.size() == 1);
        return clear ? String.valueOf(common.getFirst().getValue()) : null;
    }
}
