package io.slotwise.core.combination;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The useful items of one group, by ascending weight, in flat arrays. An item that another one beats in value, weight
 * and charge is not among them. The first of equal items stays.
 */
final class Group {
    final int position;

    /** The limits while its block is folded in, shared by the groups of the block. */
    final ChoiceBounds bounds;

    /** The index of each item in the original group. */
    final int[] item;

    final long[] value;
    final long[] weight;

    /** The index of each item's account among those of the bounds, or -1. */
    final int[] account;

    final long[] charge;

    private Group(int position, ChoiceBounds bounds, List<Entry> entries) {
        this.position = position;
        this.bounds = bounds;
        this.item = entries.stream().mapToInt(Entry::item).toArray();
        this.value = entries.stream().mapToLong(Entry::value).toArray();
        this.weight = entries.stream().mapToLong(Entry::weight).toArray();
        this.account = entries.stream().mapToInt(Entry::account).toArray();
        this.charge = entries.stream().mapToLong(Entry::charge).toArray();
    }

    private record Entry(int item, long value, long weight, int account, long charge) {
        private static final Comparator<Entry> ORDER = Comparator.comparingLong(Entry::weight)
                .thenComparingLong(Entry::value)
                .thenComparingInt(Entry::account)
                .thenComparingLong(Entry::charge)
                .thenComparingInt(Entry::item);

        boolean beats(Entry other) {
            return value <= other.value
                    && weight <= other.weight
                    && (account < 0 || (account == other.account && charge <= other.charge));
        }
    }

    /** Returns the useful items within the bounds. O(items log items), O(items^2) where accounts bind. */
    static Group of(int position, List<Item> items, ChoiceBounds bounds) {
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            Item item = items.get(i);
            if (bounds.admit(item)) {
                int account = bounds.index(item.account());
                entries.add(new Entry(
                        i, bounds.value(item), bounds.weight(item), account, account < 0 ? 0 : item.charge()));
            }
        }
        entries.sort(Entry.ORDER);
        List<Entry> kept = new ArrayList<>();
        for (Entry entry : entries) {
            if (bounds.accounts().isEmpty() ? better(entry, kept) : unbeaten(entry, kept)) {
                kept.add(entry);
            }
        }
        return new Group(position, bounds, kept);
    }

    private static boolean better(Entry entry, List<Entry> kept) {
        return kept.isEmpty() || entry.value < kept.getLast().value;
    }

    private static boolean unbeaten(Entry entry, List<Entry> kept) {
        return kept.stream().noneMatch(other -> other.beats(entry));
    }

    /** Returns the items with their charges to this account as weights. */
    Group chargedAsWeight(int of) {
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < size(); i++) {
            entries.add(new Entry(item[i], value[i], account[i] == of ? charge[i] : 0, -1, 0));
        }
        entries.sort(Entry.ORDER);
        return new Group(position, bounds, entries);
    }

    /** Returns the first entry that is this item, or beats it, or -1. */
    int representativeOf(Item item) {
        int of = bounds.index(item.account());
        for (int i = 0; i < size(); i++) {
            if (value[i] <= bounds.value(item)
                    && weight[i] <= bounds.weight(item)
                    && (account[i] < 0 || (account[i] == of && charge[i] <= item.charge()))) {
                return i;
            }
        }
        return -1;
    }

    int size() {
        return item.length;
    }
}
