package io.slotwise.web;

import io.slotwise.kubernetes.bind.BindOutcome;
import io.slotwise.kubernetes.bind.BindRequest;
import io.slotwise.kubernetes.bind.GangBarrier;
import io.slotwise.kubernetes.extender.ExtenderArgs;
import io.slotwise.kubernetes.extender.ExtenderBindingArgs;
import io.slotwise.kubernetes.extender.ExtenderBindingResult;
import io.slotwise.kubernetes.extender.ExtenderFilterResult;
import io.slotwise.kubernetes.extender.ExtenderPreemptionArgs;
import io.slotwise.kubernetes.extender.SchedulerExtender;
import io.slotwise.kubernetes.extender.SchedulerJson;
import io.slotwise.kubernetes.extender.SchedulerJson.Unreadable;
import io.slotwise.observability.Meters;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.InputStream;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * kube-scheduler's extender, verb by verb. kube-scheduler takes every status but 200 as an error without reading the body, so
 * {@code filter} and {@code bind} answer 200 with an {@code Error} to what they cannot read. The answers of {@code prioritize} and
 * {@code preempt} have no place for one: these answer 400, which kube-scheduler logs.
 *
 * <p>A call of {@code bind} waits for the rest of its gang: each runs on a virtual thread, and no pool is held.
 */
@Path("/scheduler/v1")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
public class SchedulerResource {
    private final SchedulerExtender extender;
    private final GangBarrier barrier;
    private final Meters meters;
    private final SchedulerJson json = new SchedulerJson();

    /** The parts that answer. */
    public SchedulerResource(SchedulerExtender extender, GangBarrier barrier, Meters meters) {
        this.extender = extender;
        this.barrier = barrier;
        this.meters = meters;
    }

    /** Which nodes a pod may go to. */
    @POST
    @Path("/filter")
    public Response filter(InputStream body) {
        return timed("filter", () -> {
            try {
                return ok(extender.filter(json.read(body, ExtenderArgs.class)));
            } catch (Unreadable e) {
                return ok(ExtenderFilterResult.failed(orEmpty(e.getMessage())));
            }
        });
    }

    /** Which node a pod should rather go to. */
    @POST
    @Path("/prioritize")
    public Response prioritize(InputStream body) {
        return timed("prioritize", () -> {
            try {
                return ok(extender.prioritize(json.read(body, ExtenderArgs.class)));
            } catch (Unreadable e) {
                return refused(e.getMessage());
            }
        });
    }

    /** Whom a pod may evict. */
    @POST
    @Path("/preempt")
    public Response preempt(InputStream body) {
        return timed("preempt", () -> {
            try {
                return ok(extender.preempt(json.read(body, ExtenderPreemptionArgs.class)));
            } catch (Unreadable e) {
                return refused(e.getMessage());
            }
        });
    }

    /** Binds a pod together with its gang. */
    @POST
    @Path("/bind")
    public Response bind(InputStream body) {
        return timed("bind", () -> ok(new ExtenderBindingResult(errorOfBind(body))));
    }

    private String errorOfBind(InputStream body) {
        BindRequest request;
        try {
            ExtenderBindingArgs args = json.read(body, ExtenderBindingArgs.class);
            request = new BindRequest(
                    orEmpty(args.podNamespace()),
                    orEmpty(args.podName()),
                    orEmpty(args.podUid()),
                    orEmpty(args.node()));
        } catch (Unreadable | IllegalArgumentException e) {
            return orEmpty(e.getMessage());
        }
        return switch (barrier.bind(request).join()) {
            case BindOutcome.Bound ignored -> "";
            case BindOutcome.NotBound(String reason) -> reason;
        };
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    private Response ok(Object answer) {
        return Response.ok(json.write(answer)).build();
    }

    private Response refused(@Nullable String reason) {
        return Response.status(Response.Status.BAD_REQUEST)
                .entity(json.write(new ExtenderBindingResult(orEmpty(reason))))
                .build();
    }

    private Response timed(String verb, Supplier<Response> answer) {
        long begun = System.nanoTime();
        try {
            return answer.get();
        } finally {
            meters.answered(verb, Duration.ofNanos(System.nanoTime() - begun));
        }
    }
}
