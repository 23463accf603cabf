package io.slotwise.core.online;

import io.slotwise.core.gang.Criterion;

/** Which time an online choice looks at. */
public enum OnlineMode {
    /** Economic minimum completion time: from the gang's arrival to the window's end. */
    EMCT("emct", Criterion.FINISH),
    /** Economic minimum execution time: the window's runtime, whenever it starts. */
    EMET("emet", Criterion.RUNTIME);

    private final String key;
    private final Criterion criterion;

    OnlineMode(String key, Criterion criterion) {
        this.key = key;
        this.criterion = criterion;
    }

    /** The name that users and admins write. */
    public String key() {
        return key;
    }

    /** What the window that stands for a domain has least of in that domain. */
    public Criterion criterion() {
        return criterion;
    }
}
