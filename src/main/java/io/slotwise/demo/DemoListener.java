package io.slotwise.demo;

import io.slotwise.live.record.GangRecord;
import java.time.Instant;

/** A listener for the events of a demo. Called by the thread that steps. */
public interface DemoListener {
    /** The barrier of a gang opened in this second. */
    default void opened(GangRecord record, long second) {}

    /** An event of a gang or a node; {@code what} is one word in camel case, the reason in cluster events if any. */
    void told(Instant when, String what, String subject, String words);
}
