package io.slotwise.kubernetes.access;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A user or service account that the API server knows.
 *
 * @param name such as {@code jane} or {@code system:serviceaccount:research:reader}
 * @param uid empty: none
 * @param groups that they are in
 * @param extra what else the API server's authenticators say of them
 */
public record Caller(String name, String uid, List<String> groups, Map<String, List<String>> extra) {
    private static final String SERVICE_ACCOUNT = "system:serviceaccount:";

    public Caller {
        groups = List.copyOf(groups);
        extra = extra.entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, entry -> List.copyOf(entry.getValue())));
    }

    /**
     * Whose share of what callers may ask for this one uses: a user has one, and all service accounts of a namespace
     * have one together, since who may write to the namespace makes as many as they like.
     */
    public String share() {
        return name.startsWith(SERVICE_ACCOUNT)
                ? SERVICE_ACCOUNT + name.substring(SERVICE_ACCOUNT.length()).split(":", 2)[0]
                : name;
    }
}
