package io.slotwise.core.plan;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.slot.Eligibility;
import io.slotwise.core.slot.Terms;
import io.slotwise.core.window.Seeker;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.WindowSearch;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A gang on its way through one cycle: scratch of {@link Cycle}. */
final class Contender {
    final Gang gang;
    final Eligibility eligibility;
    final WindowSearch search;
    final Terms terms;

    /** The promise that still holds; null: none, or it is broken. */
    @Nullable
    Promise promise;

    /** What was published and is not broken, whether or not this cycle may plan it anew. */
    @Nullable
    Window published;

    List<Window> alternatives = List.of();

    @Nullable
    Window window;

    Via via = Via.CYCLIC;

    /** Set when the batch's limit leaves the gang out. */
    @Nullable
    Refusal leftOut;

    Contender(Gang gang, Eligibility eligibility, Terms terms) {
        this.gang = gang;
        this.eligibility = eligibility;
        this.search = new WindowSearch(gang, eligibility);
        this.terms = terms;
    }

    boolean promised() {
        return promise != null;
    }

    /** Whether its promise is not to be touched any more. */
    boolean released() {
        return promise != null && promise.released();
    }

    Seeker seeker() {
        return new Seeker(gang, search, terms, promise == null ? null : promise.window());
    }

    /** Takes the window as its own, with its room in the timeline. */
    void accept(Window chosen, Via how) {
        window = chosen;
        via = promise != null && chosen.equals(promise.window()) ? promise.via() : how;
    }

    Planned planned(Window chosen) {
        return new Planned(gang, chosen, via, chosen.equals(published));
    }
}
