package io.slotwise.live.record;

import java.util.List;

/** Pods of a gang in a sentence. */
public final class PodNames {
    private PodNames() {}

    /** Some names, and how many more there are. */
    public static String shortly(List<String> pods) {
        return shortly(pods, pods.size());
    }

    /** Some names of {@code all}, and how many more there are. */
    static String shortly(List<String> pods, int all) {
        List<String> shown = pods.stream().limit(LastRefusal.MOST_NAMED).toList();
        String names = String.join(", ", shown);
        return all <= shown.size() ? names : names + " and %d more".formatted(all - shown.size());
    }
}
