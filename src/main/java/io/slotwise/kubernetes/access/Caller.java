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
    public Caller {
        groups = List.copyOf(groups);
        extra = extra.entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, entry -> List.copyOf(entry.getValue())));
    }
}
