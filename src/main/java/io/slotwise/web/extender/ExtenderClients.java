package io.slotwise.web.extender;

import java.security.Principal;
import java.util.List;
import java.util.Set;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** The common names of clients that may call. Their certificates have already been verified against the authority. */
final class ExtenderClients {
    private final Set<String> names;

    ExtenderClients(List<String> names) {
        this.names = Set.copyOf(names);
    }

    boolean knows(SSLSession session) {
        try {
            String name = commonName(session.getPeerPrincipal());
            return name != null && names.contains(name);
        } catch (SSLPeerUnverifiedException e) {
            return false;
        }
    }

    /** Returns the only common name of a subject. Null if it is missing or ambiguous. */
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
