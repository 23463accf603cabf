package io.slotwise.kubernetes.access;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A user or service account that the API server knows.
 *
 * @param name such as {@code jane} or {@code system:serviceaccount:research:reader}
 * @param uid possibly empty
 * @param extra further attributes from the API server's authenticators
 */
public record Caller(String name, String uid, List<String> groups, Map<String, List<String>> extra) {
    private static final String SERVICE_ACCOUNT = "system:serviceaccount:";

    public Caller {
        groups = List.copyOf(groups);
        extra = extra.entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, entry -> List.copyOf(entry.getValue())));
    }

    /**
     * Returns the share of the request limit that this caller uses. Each user has one. All service accounts of a
     * namespace have one together, because a user with write access to the namespace can create any number of them.
     */
    public String share() {
        return name.startsWith(SERVICE_ACCOUNT)
                ? SERVICE_ACCOUNT + name.substring(SERVICE_ACCOUNT.length()).split(":", 2)[0]
                : name;
    }
}
