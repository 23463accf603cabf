package io.slotwise.core.queue;

/** The reason why a queue is left out of the tree: a word for programs, and a sentence. */
public record QueueFault(String queue, Kind kind, String message) {
    /** The kind of a fault. */
    public enum Kind {
        /** Its object cannot be read. */
        UNREADABLE,
        /** Another queue before it has the name. */
        DUPLICATE,
        /** Its parent does not exist. */
        MISSING_PARENT,
        /** The queue is above itself. */
        CIRCLE,
        /** A queue above it is left out. */
        PARENT_REFUSED,
        /** The queue is guaranteed a percentage of a parent that states no guarantee. */
        PART_OF_NOTHING,
        /** With its siblings before it, it is guaranteed more than its parent. */
        OVER_PARENT
    }
}
