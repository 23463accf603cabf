package io.slotwise.lab.workload;

import java.util.List;
import java.util.OptionalInt;

/** A workload that changes the jobs of another one; it has its name, its machine and its remarks. */
public interface DerivedWorkload extends Workload {
    /** The workload whose jobs are changed. */
    Workload original();

    @Override
    default String name() {
        return original().name();
    }

    @Override
    default OptionalInt processors() {
        return original().processors();
    }

    @Override
    default List<String> remarks() {
        return original().remarks();
    }
}
