package io.slotwise.core.window.search;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.slot.Offer;
import io.slotwise.core.slot.SlotList;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.window.Window;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The conclusions from earlier answers to one question, given with the same or more room. Not thread-safe. */
final class EarlierAnswers {
    /** True if the question may be asked again, so that it is worth keeping the slots. */
    private final boolean asked;

    private long least = Long.MIN_VALUE;

    /** The start of the last window, seconds since the epoch; {@link Long#MIN_VALUE} if there was none. */
    private long since = Long.MIN_VALUE;

    /** The slots of the last few searched nodes: of the first shortlist, and of others. */
    private final @Nullable SlotList[] slots = new @Nullable SlotList[2];

    /** True if all answers were exact. */
    private boolean exact = true;

    /** The terms of the question, whose slots are kept, or null before the first. */
    private @Nullable SlotTerms terms;

    /** The least number of promising nodes with which a search should begin. */
    private int fewest;

    private EarlierAnswers(boolean asked) {
        this.asked = asked;
    }

    static EarlierAnswers none() {
        return new EarlierAnswers(false);
    }

    static EarlierAnswers kept() {
        return new EarlierAnswers(true);
    }

    void ask(SlotTerms slotTerms) {
        terms = slotTerms;
    }

    /** Returns the slots of these nodes, updated where they have changed. Those of narrower terms are not kept. */
    SlotList slots(List<Offer> offers, SlotTerms slotTerms) {
        if (!asked || !slotTerms.equals(terms)) {
            return new SlotList(offers, slotTerms);
        }
        int which = offers.size() <= FieldSearch.FIRST_NODES ? 0 : 1;
        SlotList knownList = slots[which];
        SlotList madeList = knownList != null && knownList.isOf(offers, slotTerms)
                ? knownList.renewed()
                : SlotList.renewable(offers, slotTerms);
        slots[which] = madeList;
        return madeList;
    }

    /** Returns the least number of promising nodes that usually suffices without a second search on more. */
    int fewest() {
        return fewest;
    }

    void takes(int nodes) {
        fewest = nodes;
    }

    /** Returns a lower bound of the criterion's value. */
    long least() {
        return least;
    }

    /** Returns whether there is a last window, which bounds the next one. */
    boolean goOn() {
        return least != Long.MIN_VALUE;
    }

    /** Returns the second before which no window starts that is as good as the last one. */
    long since() {
        return since;
    }

    void answered(SearchAnswer answer, Criterion criterion, Gang gang) {
        exact &= !answer.bounded();
        Window window = answer.window();
        least = exact && window != null ? window.value(criterion, gang) : Long.MIN_VALUE;
        since = window == null ? Long.MIN_VALUE : window.start();
    }
}
