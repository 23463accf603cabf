package io.slotwise.kubernetes.gangs;

/** How many pods of a gang must start together. */
public sealed interface GangSize {
    /** The largest gang. */
    int LARGEST = 100_000;

    /** So many. */
    record Together(int size) implements GangSize {
        public Together {
            if (size < 1 || size > LARGEST) {
                throw new IllegalArgumentException("The size (%d) must be between 1 and %d.".formatted(size, LARGEST));
            }
        }
    }

    /** They are no gang: each starts by itself. */
    record Apart() implements GangSize {}

    /** They do not say. */
    record Unstated(String words) implements GangSize {}

    /** An object says it that is not there. */
    record Missing(GroupKind kind, String name) implements GangSize {}
}
