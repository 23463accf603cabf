package io.slotwise.core.combination;

import java.util.List;

/** What one choice weighs, is worth and charges, entry by entry: scratch that tries single changes. */
final class ChoiceTotals {
    private static final int PASSES = 3;

    private final List<Group> groups;
    private final int[] entries;

    /** For each group what is charged to the accounts of its block; shared by the block. */
    private final long[][] charges;

    private long value;
    private long weight;

    /** The sums of a choice. */
    ChoiceTotals(List<Group> groups, int[] entries) {
        this.groups = groups;
        this.entries = entries;
        this.charges = new long[entries.length][];
        for (int g = 0; g < entries.length; g++) {
            Group group = groups.get(g);
            charges[g] = g > 0 && group.bounds.equals(groups.get(g - 1).bounds)
                    ? charges[g - 1]
                    : new long[group.bounds.accounts().size()];
            add(g, entries[g], 1);
        }
    }

    private void add(int g, int entry, int sign) {
        Group group = groups.get(g);
        value += sign * group.value[entry];
        weight += sign * group.weight[entry];
        if (group.account[entry] >= 0) {
            charges[g][group.account[entry]] += sign * group.charge[entry];
        }
    }

    long value() {
        return value;
    }

    /** Whether the choice stays within limit and accounts. */
    boolean isAllowed(long limit) {
        if (weight > limit) {
            return false;
        }
        for (int g = 0; g < entries.length; g++) {
            for (int a = 0; a < charges[g].length; a++) {
                if (charges[g][a] > groups.get(g).bounds.left(a)) {
                    return false;
                }
            }
        }
        return true;
    }

    /**
     * Gives every group in turn the best entry that the others leave room for, a few times over. O(items) for each
     * pass.
     */
    void improve(long limit) {
        boolean changed = true;
        for (int pass = 0; pass < PASSES && changed; pass++) {
            changed = false;
            for (int g = 0; g < entries.length; g++) {
                int before = entries[g];
                add(g, before, -1);
                for (int entry = 0; entry < groups.get(g).size(); entry++) {
                    if (groups.get(g).value[entry] < groups.get(g).value[entries[g]] && fits(g, entry, limit)) {
                        entries[g] = entry;
                        changed = true;
                    }
                }
                add(g, entries[g], 1);
            }
        }
    }

    private boolean fits(int g, int entry, long limit) {
        Group group = groups.get(g);
        int account = group.account[entry];
        return group.weight[entry] <= limit - weight
                && (account < 0 || group.charge[entry] <= group.bounds.left(account) - charges[g][account]);
    }
}
