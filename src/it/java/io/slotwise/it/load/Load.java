package io.slotwise.it.load;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.slotwise.it.GangSpec;
import io.slotwise.it.Workload;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The load of a cluster.
 *
 * @param nodes how many
 * @param cores of each node
 * @param shapes the gangs
 * @param milliCores of each pod
 * @param runtime seconds that each gang requests and runs
 * @param standing pods that already run on the nodes and continue; they use almost nothing
 * @param due seconds from the creation of the first gang to the earliest start, or 0 for at once
 */
record Load(int nodes, int cores, List<Shape> shapes, int milliCores, int runtime, int standing, int due) {
    static final String NAMESPACE = "load";
    static final String WARM_UP = "warm-up";

    private static final int WARM_UP_SECONDS = 5;
    private static final String STANDS = "it.slotwise.io/stands";

    Load {
        shapes = List.copyOf(shapes);
    }

    /** Some gangs of one size. */
    record Shape(int gangs, int size) {
        @Override
        public String toString() {
            return gangs + "x" + size;
        }
    }

    /** All gangs, with the shapes in turn. */
    List<GangSpec> gangs() {
        List<GangSpec> gangs = new ArrayList<>();
        int most = shapes.stream().mapToInt(Shape::gangs).max().orElse(0);
        for (int i = 0; i < most; i++) {
            for (Shape shape : shapes) {
                if (i < shape.gangs()) {
                    gangs.add(GangSpec.of(
                            NAMESPACE, "g%d-%04d".formatted(shape.size(), i), shape.size(), milliCores, runtime));
                }
            }
        }
        return gangs;
    }

    /** The pods of all gangs, whose creation begins now. */
    Stream<Pod> pods(Instant now) {
        Stream<GangSpec> coming = gangs().stream();
        Stream<GangSpec> told = due == 0
                ? coming
                : coming.map(gang -> gang.with("earliest-start", dueSecond(now).toString()));
        return told.flatMap(gang -> gang.pods().stream());
    }

    /** The second of the earliest start if the creation of the pods begins now. */
    Instant dueSecond(Instant now) {
        return now.plusSeconds(due).truncatedTo(ChronoUnit.SECONDS);
    }

    /** Gangs of a few seconds that run before the load, in a namespace of their own. */
    Stream<Pod> warmUp(Shape shape) {
        return IntStream.range(0, shape.gangs())
                .mapToObj(i -> GangSpec.of(
                        WARM_UP, "w%d-%04d".formatted(shape.size(), i), shape.size(), milliCores, WARM_UP_SECONDS))
                .flatMap(gang -> gang.pods().stream());
    }

    /** A gang of the first shape, for gangs that come one after another. */
    GangSpec one(int number) {
        int size = shapes.getFirst().size();
        return GangSpec.of(NAMESPACE, "one%d-%04d".formatted(size, number), size, milliCores, runtime);
    }

    /** Returns whether the load ends shortly after its start, so that its end is measured, too. */
    boolean isShort() {
        return runtime <= 60;
    }

    int pods() {
        return shapes.stream().mapToInt(shape -> shape.gangs() * shape.size()).sum();
    }

    Stream<Node> machines() {
        return IntStream.range(0, nodes)
                .mapToObj(i -> Workload.node(name(i), cores, 4 * cores, Map.of("slotwise.io/price", "1.00")));
    }

    /** Foreign pods, in turn on the nodes, which never change. */
    Stream<Pod> residents() {
        return IntStream.range(0, standing)
                .mapToObj(
                        i -> new PodBuilder(Workload.pod(NAMESPACE, "stands-%06d".formatted(i), "somebody-else", 1, 1))
                                .editMetadata()
                                .addToAnnotations(STANDS, "true")
                                .endMetadata()
                                .editSpec()
                                .withNodeName(name(i % nodes))
                                .endSpec()
                                .build());
    }

    private static String name(int node) {
        return "n%05d".formatted(node);
    }

    @Override
    public String toString() {
        String gangs = String.join(",", shapes.stream().map(Shape::toString).toList());
        return "%,d nodes of %d cores, gangs %s of %d millicores for %d s%s%s"
                .formatted(
                        nodes,
                        cores,
                        gangs,
                        milliCores,
                        runtime,
                        standing == 0 ? "" : ", %,d pods that run already".formatted(standing),
                        due == 0 ? "" : ", all due %d s after their creation begins".formatted(due));
    }
}
