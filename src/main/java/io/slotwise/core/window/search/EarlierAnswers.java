package io.slotwise.core.window.search;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.slot.Offer;
import io.slotwise.core.slot.SlotList;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.window.Window;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What earlier answers to one question say, given when there was as much room or more. For one thread at a time. */
final class EarlierAnswers {
    /** Whether the question may be asked again, so that it pays to note what its answer was made of. */
    private final boolean asked;

    private long least = Long.MIN_VALUE;

    /** Where the last window started. */
    private long since = Long.MIN_VALUE;

    /** The slots of the few nodes that were looked at last, of the first shortlist and of others. */
    private final @Nullable SlotList[] slots = new @Nullable SlotList[2];

    /** Whether all of them were exact. */
    private boolean exact = true;

    /** What is asked about, whose slots are kept; null: nothing has been asked. */
    private @Nullable SlotTerms terms;

    /** With fewer nodes than these there is no use in beginning. */
    private int fewest;

    private EarlierAnswers(boolean asked) {
        this.asked = asked;
    }

    /** Of a question that is asked once. */
    static EarlierAnswers none() {
        return new EarlierAnswers(false);
    }

    /** Of one that is asked again and again. */
    static EarlierAnswers kept() {
        return new EarlierAnswers(true);
    }

    /** The question is asked, within the same terms each time. */
    void ask(SlotTerms slotTerms) {
        terms = slotTerms;
    }

    /** The slots of these nodes, looked for where something has changed since; those of narrower terms are not kept. */
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

    /** With fewer promising nodes than these most of the time had to be looked at again on more. */
    int fewest() {
        return fewest;
    }

    /** It takes so many promising nodes at least. */
    void takes(int nodes) {
        fewest = nodes;
    }

    /** No window has a lower value of the criterion. */
    long least() {
        return least;
    }

    /** Whether there is a last window, which says something of the next one. */
    boolean goOn() {
        return least != Long.MIN_VALUE;
    }

    /** No window that starts before this second is as good as the last one. */
    long since() {
        return since;
    }

    /** Notes the answer to the question. */
    void answered(SearchAnswer answer, Criterion criterion, Gang gang) {
        exact &= !answer.bounded();
        Window window = answer.window();
        least = exact && window != null ? window.value(criterion, gang) : Long.MIN_VALUE;
        since = window == null ? Long.MIN_VALUE : window.start();
    }
}
