package io.slotwise.live.cycle;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Promise;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.RecordedTerms;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Checks whether a promise still matches the gang's request. */
final class PromiseCheck {
    private PromiseCheck() {}

    /**
     * Returns, in one sentence, which change of the gang contradicts its promise. Null if the promise still matches.
     * {@link Promise#contradiction} compares the window; this method adds what only the record knows.
     *
     * @param promise with the pods that the gang has now
     */
    static @Nullable String contradiction(Gang gang, GangRecord record, Promise promise, @Nullable GangId namedId) {
        RecordedTerms recordedTerms = record.terms();
        RecordedTerms terms = RecordedTerms.of(gang);
        GangId hostId = record.host();
        if (record.promise() != null && !Objects.equals(hostId, namedId)) {
            return namedId == null
                    ? "the gang no longer names reservation %s".formatted(hostId)
                    : "the gang names reservation %s now".formatted(namedId);
        }
        if (terms.differFrom(recordedTerms)) {
            return "the gang's request was changed";
        }
        return promise.contradiction(gang);
    }
}
