package io.slotwise.demo;

import io.slotwise.live.record.GangRecord;
import java.time.Instant;

/** A listener that is told what happens in a demo. Called by the thread that steps. */
public interface DemoListener {
    /** The barrier of a gang opened in this second. */
    default void opened(GangRecord record, long second) {}

    /** Something happened to a gang or a node; {@code what}: one word in camel case, an event's reason if it is one. */
    void told(Instant when, String what, String whom, String words);
}
