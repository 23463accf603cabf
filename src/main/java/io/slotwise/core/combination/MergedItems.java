package io.slotwise.core.combination;

/**
 * Combines every total of a list with every item of a group, by ascending weight, then value, then item. The lists
 * shifted by one item each are already sorted, and a binary heap merges them. O(log items) for each.
 */
final class MergedItems {
    private final ParetoList list;
    private final Group group;
    private final int[] heap;
    private final int[] position;
    private int size;

    MergedItems(ParetoList list, Group group) {
        this.list = list;
        this.group = group;
        this.heap = new int[group.size()];
        this.position = new int[group.size()];
        if (list.size > 0) {
            for (int i = group.size() - 1; i >= 0; i--) {
                heap[i] = i;
            }
            size = group.size();
            for (int i = size / 2 - 1; i >= 0; i--) {
                sink(i);
            }
        }
    }

    boolean isEmpty() {
        return size == 0;
    }

    int item() {
        return heap[0];
    }

    int total() {
        return position[heap[0]];
    }

    long weight() {
        return weight(heap[0]);
    }

    long value() {
        return value(heap[0]);
    }

    /** Computes the charges of the current combination to the open accounts. Returns false if one is overdrawn. */
    boolean charge(long[] charges) {
        for (int a = 0; a < charges.length; a++) {
            charges[a] = list.charged(a, total());
        }
        int account = group.account[item()];
        if (account < 0) {
            return true;
        }
        charges[account] += group.charge[item()];
        return charges[account] <= group.bounds.left(account);
    }

    void next() {
        if (++position[heap[0]] == list.size) {
            heap[0] = heap[--size];
        }
        sink(0);
    }

    private long weight(int item) {
        return Relaxation.saturated(list.weight[position[item]], group.weight[item]);
    }

    private long value(int item) {
        return list.value[position[item]] + group.value[item];
    }

    private boolean precedes(int a, int b) {
        long weightA = weight(a);
        long weightB = weight(b);
        if (weightA != weightB) {
            return weightA < weightB;
        }
        long valueA = value(a);
        long valueB = value(b);
        return valueA != valueB ? valueA < valueB : a < b;
    }

    private void sink(int from) {
        int at = from;
        int moving = heap[at];
        for (int child = 2 * at + 1; child < size; child = 2 * at + 1) {
            if (child + 1 < size && precedes(heap[child + 1], heap[child])) {
                child++;
            }
            if (!precedes(heap[child], moving)) {
                break;
            }
            heap[at] = heap[child];
            at = child;
        }
        heap[at] = moving;
    }
}
