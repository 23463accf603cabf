package io.slotwise.lab.workload;

import java.util.List;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** A workload that changes the jobs of another one, and has its name, machine and remarks. */
public interface DerivedWorkload extends Workload {
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

    static Workload of(Workload workload, UnaryOperator<Job> change) {
        return new DerivedWorkload() {
            @Override
            public Workload original() {
                return workload;
            }

            @Override
            public Stream<Job> jobs() {
                return workload.jobs().map(change);
            }
        };
    }
}
