package io.slotwise.core.online;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.text.Keyed;

/** Which time an online choice looks at. */
public enum OnlineMode implements Keyed {
    /** Economic minimum completion time: from the gang's arrival to the window's end. */
    EMCT(Criterion.FINISH),
    /** Economic minimum execution time: the window's runtime, whenever it starts. */
    EMET(Criterion.RUNTIME);

    private final Criterion criterion;

    OnlineMode(Criterion criterion) {
        this.criterion = criterion;
    }

    /** What the window that stands for a domain has least of in that domain. */
    public Criterion criterion() {
        return criterion;
    }
}
