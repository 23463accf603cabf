package io.slotwise.web.extender;

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
import io.vertx.core.buffer.Buffer;
import jakarta.inject.Singleton;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * kube-scheduler's extender, verb by verb. kube-scheduler takes every status but 200 as an error without reading the
 * body, so {@code filter} and {@code bind} answer 200 with an {@code Error} to what they cannot read. The answers of
 * {@code prioritize} and {@code preempt} have no place for one: these answer 400, which kube-scheduler logs.
 *
 * <p>A call of {@code bind} waits for the rest of its gang: callers are on threads that may wait.
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

    /** The parts that answer. */
    ExtenderVerbs(SchedulerExtender extender, GangBarrier barrier, Meters meters) {
        this.extender = extender;
        this.barrier = barrier;
        this.meters = meters;
    }

    /**
     * What kube-scheduler is told.
     *
     * @param status of HTTP
     * @param body JSON
     */
    record Answer(int status, Buffer body) {}

    /** Reads a question and answers it. */
    private interface Question {
        Answer answer(InputStream body);
    }

    /** A question under its name. */
    final class Verb {
        private final String name;
        private final Question question;

        private Verb(String name, Question question) {
            this.name = name;
            this.question = question;
        }

        /** Answers, and measures how long that took. May wait for as long as a gang assembles. */
        Answer answer(byte[] body) {
            long begun = System.nanoTime();
            try {
                return question.answer(new ByteArrayInputStream(body));
            } finally {
                meters.answered(name, Duration.ofNanos(System.nanoTime() - begun));
            }
        }
    }

    /** The verb at exactly this path; null: there is none. */
    @Nullable
    Verb at(@Nullable String path) {
        return path == null ? null : byPath.get(path);
    }

    /** Which nodes a pod may go to. */
    private Answer filter(InputStream body) {
        try {
            return ok(extender.filter(json.read(body, ExtenderArgs.class)));
        } catch (Unreadable e) {
            return ok(ExtenderFilterResult.failed(orEmpty(e.getMessage())));
        }
    }

    /** Which node a pod should rather go to. */
    private Answer prioritize(InputStream body) {
        try {
            return ok(extender.prioritize(json.read(body, ExtenderArgs.class)));
        } catch (Unreadable e) {
            return refused(e.getMessage());
        }
    }

    /** Whom a pod may evict. */
    private Answer preempt(InputStream body) {
        try {
            return ok(extender.preempt(json.read(body, ExtenderPreemptionArgs.class)));
        } catch (Unreadable e) {
            return refused(e.getMessage());
        }
    }

    /** Binds a pod together with its gang. */
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
