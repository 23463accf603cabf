package io.slotwise.kubernetes.extender;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.slotwise.kubernetes.extender.ExtenderMessages.ExtenderArgs;
import io.slotwise.kubernetes.extender.SchedulerJson.Unreadable;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The time of an extender call with the names of all nodes, from the bytes of the request to those of the answer. */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init")
public class ExtenderBenchmark {
    @Param({"500", "1000", "5000"})
    int nodes;

    private final SchedulerJson json = new SchedulerJson();
    private final KnownReservations reservations = new KnownReservations();
    private final SchedulerExtender extender =
            new SchedulerExtender(reservations, "slotwise", InstantSource.system(), () -> true);
    private byte[] question;

    /** Prepares calls for a pod of a released gang. */
    @Setup
    public void ask() throws IOException {
        reservations.put(new ReservationBuilder().build());
        ObjectMapper mapper = new ObjectMapper();
        try (InputStream example =
                Objects.requireNonNull(ExtenderBenchmark.class.getResourceAsStream("/extender/filter-names.json"))) {
            ObjectNode args = (ObjectNode) mapper.readTree(example);
            ArrayNode names = args.putArray("NodeNames");
            for (int i = 0; i < nodes; i++) {
                names.add("n%02d".formatted(i));
            }
            question = mapper.writeValueAsBytes(args);
        }
    }

    @Benchmark
    public byte[] filter() throws Unreadable {
        return json.write(extender.filter(json.read(new ByteArrayInputStream(question), ExtenderArgs.class)));
    }

    @Benchmark
    public byte[] prioritize() throws Unreadable {
        return json.write(extender.prioritize(json.read(new ByteArrayInputStream(question), ExtenderArgs.class)));
    }
}
