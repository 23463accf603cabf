package io.slotwise.kubernetes.gangs;

/** How many pods of a gang must start together. */
public sealed interface GangSize {
    /** The largest gang. */
    int LARGEST = 100_000;

    /**
     * So many.
     *
     * @param size how many
     * @param ended what objects say of those that have ended
     * @param roles how many there are of each role at least, no more than {@code size} together
     */
    record Together(int size, EndedPods ended, RoleMinima roles) implements GangSize {
        public Together {
            if (size < 1 || size > LARGEST) {
                throw new IllegalArgumentException("The size (%d) must be between 1 and %d.".formatted(size, LARGEST));
            }
            if (roles.sum() > size) {
                throw new IllegalArgumentException(
                        "The minima of the roles (%d) must not pass the size (%d).".formatted(roles.sum(), size));
            }
        }

        /** So many pods that are all alike, of which none has ended. */
        public Together(int size) {
            this(size, EndedPods.NONE, RoleMinima.NONE);
        }

        /** The same of which these have ended. */
        Together after(EndedPods gonePods) {
            return new Together(size, gonePods, roles);
        }
    }

    /** They are no gang: each starts by itself. */
    record Apart() implements GangSize {}

    /** They do not say. */
    record Unstated(String words) implements GangSize {}

    /** An object says it that is not there. */
    record Missing(GroupKind kind, String name) implements GangSize {}
}
