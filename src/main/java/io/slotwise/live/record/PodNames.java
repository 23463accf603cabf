package io.slotwise.live.record;

import java.util.List;

/** Names of pods in a sentence. */
public final class PodNames {
    private PodNames() {}

    /** Returns some names, and the number of the others. */
    public static String shortly(List<String> pods) {
        return shortly(pods, pods.size());
    }

    /** Returns some names out of {@code all}, and the number of the others. */
    static String shortly(List<String> pods, int all) {
        List<String> shown = pods.stream().limit(LastRefusal.MOST_NAMED).toList();
        String names = String.join(", ", shown);
        return all <= shown.size() ? names : names + " and %d more".formatted(all - shown.size());
    }
}
