package io.slotwise.web.extender;

import io.slotwise.kubernetes.bind.BindOutcome;
import io.slotwise.kubernetes.bind.BindRequest;
import io.slotwise.kubernetes.bind.GangBarrier;
import io.slotwise.kubernetes.extender.ExtenderMessages.ExtenderArgs;
import io.slotwise.kubernetes.extender.ExtenderMessages.ExtenderBindingArgs;
import io.slotwise.kubernetes.extender.ExtenderMessages.ExtenderBindingResult;
import io.slotwise.kubernetes.extender.ExtenderMessages.ExtenderFilterResult;
import io.slotwise.kubernetes.extender.ExtenderMessages.ExtenderPreemptionArgs;
import io.slotwise.kubernetes.extender.SchedulerExtender;
import io.slotwise.kubernetes.extender.SchedulerJson;
import io.slotwise.kubernetes.extender.SchedulerJson.Unreadable;
import io.slotwise.observability.Meters;
import io.vertx.core.buffer.Buffer;
import jakarta.inject.Singleton;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The verbs of kube-scheduler's extender. kube-scheduler treats every status but 200 as an error without reading the
 * body, so {@code filter} and {@code bind} answer invalid requests with 200 and an {@code Error}. The answers of {@code
 * prioritize} and {@code preempt} have no such field, so these answer 400, which kube-scheduler logs.
 *
 * <p>A call of {@code bind} waits for the rest of its gang, so callers need threads that may block.
 */
@Singleton
final class ExtenderVerbs {
    private static final String PREFIX = "/scheduler/v1/";

    private final SchedulerExtender extender;
    private final GangBarrier barrier;
    private final Meters meters;
    private final SchedulerJson json = new SchedulerJson();
    private final Map<String, Verb> byPath = Map.of(
            PREFIX + "filter", new Verb("filter", this::filter),
            PREFIX + "prioritize", new Verb("prioritize", this::prioritize),
            PREFIX + "preempt", new Verb("preempt", this::preempt),
            PREFIX + "bind", new Verb("bind", this::bind));

    ExtenderVerbs(SchedulerExtender extender, GangBarrier barrier, Meters meters) {
        this.extender = extender;
        this.barrier = barrier;
        this.meters = meters;
    }

    record Answer(int status, Buffer body) {}

    private interface Question {
        Answer answer(InputStream body);
    }

    final class Verb {
        private final String name;
        private final Question question;

        private Verb(String name, Question question) {
            this.name = name;
            this.question = question;
        }

        /** Answers and measures the time. May wait until the gang is complete. */
        Answer answer(byte[] body) {
            long begun = System.nanoTime();
            try {
                return question.answer(new ByteArrayInputStream(body));
            } finally {
                meters.answered(name, Duration.ofNanos(System.nanoTime() - begun));
            }
        }
    }

    /** Returns the verb with exactly this path, or null. */
    @Nullable
    Verb at(@Nullable String path) {
        return path == null ? null : byPath.get(path);
    }

    private Answer filter(InputStream body) {
        try {
            return ok(extender.filter(json.read(body, ExtenderArgs.class)));
        } catch (Unreadable e) {
            return ok(ExtenderFilterResult.failed(orEmpty(e.getMessage())));
        }
    }

    private Answer prioritize(InputStream body) {
        try {
            return ok(extender.prioritize(json.read(body, ExtenderArgs.class)));
        } catch (Unreadable e) {
            return refused(e.getMessage());
        }
    }

    private Answer preempt(InputStream body) {
        try {
            return ok(extender.preempt(json.read(body, ExtenderPreemptionArgs.class)));
        } catch (Unreadable e) {
            return refused(e.getMessage());
        }
    }

    private Answer bind(InputStream body) {
        return ok(new ExtenderBindingResult(errorOfBind(body)));
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
            case BindOutcome.Bound ignoredBound -> "";
            case BindOutcome.NotBound(String reason) -> reason;
        };
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    private Answer ok(Object answer) {
        return new Answer(HttpURLConnection.HTTP_OK, Buffer.buffer(json.write(answer)));
    }

    private Answer refused(@Nullable String reason) {
        return new Answer(
                HttpURLConnection.HTTP_BAD_REQUEST,
                Buffer.buffer(json.write(new ExtenderBindingResult(orEmpty(reason)))));
    }
}
