package io.slotwise.observability;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.slotwise.core.gang.GangId;
import io.slotwise.kubernetes.bind.BarrierObserver;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;

/** All meters, by the names of the public contract. Durations are seconds. */
@ApplicationScoped
public class Meters implements BarrierObserver {
    private final MeterRegistry registry;
    private final Counter partialGangs;
    private final Timer startDelay;

    /** Registers what is known from the beginning, so that it is seen as zero before it happens. */
    public Meters(MeterRegistry registry) {
        this.registry = registry;
        partialGangs = Counter.builder("slotwise_partial_gangs")
                .description("gangs of which some members were bound and others refused")
                .register(registry);
        startDelay = Timer.builder("slotwise_gang_start_delay")
                .description("real start minus promised start")
                .publishPercentileHistogram()
                .register(registry);
    }

    /** One answer to kube-scheduler. */
    public void answered(String verb, Duration took) {
        Timer.builder("slotwise_extender")
                .description("time to answer kube-scheduler; bind waits at the barrier")
                .tag("verb", verb)
                .publishPercentileHistogram()
                .register(registry)
                .record(took);
    }

    @Override
    public void opened(GangId gang, Instant promisedStart, Instant openedAt) {
        startDelay.record(Duration.between(promisedStart, openedAt));
    }

    @Override
    public void partial(GangId gang) {
        partialGangs.increment();
    }
}
