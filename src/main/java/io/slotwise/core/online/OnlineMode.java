package io.slotwise.core.online;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.text.Keyed;

/** The time that an online choice minimizes. */
public enum OnlineMode implements Keyed {
    /** Economic minimum completion time: from the gang's arrival to the window's end. */
    EMCT(Criterion.FINISH),
    /** Economic minimum execution time: the window's runtime, regardless of its start. */
    EMET(Criterion.RUNTIME);

    private final Criterion criterion;

    OnlineMode(Criterion criterion) {
        this.criterion = criterion;
    }

    /** Returns the criterion by which the window of a domain is the best in that domain. */
    public Criterion criterion() {
        return criterion;
    }
}
