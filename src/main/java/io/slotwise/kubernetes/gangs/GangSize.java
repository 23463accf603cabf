package io.slotwise.kubernetes.gangs;

/** The number of a gang's pods that must start together. */
public sealed interface GangSize {
    int LARGEST = 100_000;

    /**
     * A known size.
     *
     * @param ended the ended members by the objects that state them
     * @param roles the minimum of each role, in total no more than {@code size}
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

        /** Makes a size of equal pods of which none has ended. */
        public Together(int size) {
            this(size, EndedPods.NONE, RoleMinima.NONE);
        }

        Together after(EndedPods gonePods) {
            return new Together(size, gonePods, roles);
        }
    }

    /** The pods are no gang: each starts individually. */
    record Apart() implements GangSize {}

    /** The pods do not state a size. */
    record Unstated(String words) implements GangSize {}

    /** The object that states the size does not exist. */
    record Missing(GroupKind kind, String name) implements GangSize {}
}
