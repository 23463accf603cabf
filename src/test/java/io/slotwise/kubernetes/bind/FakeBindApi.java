package io.slotwise.kubernetes.bind;

import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * An API server in memory. Every pod exists, unbound, with UID {@code uid-of-NAME}, unless a test says otherwise. A
 * second binding is a conflict, as at the real one.
 */
public final class FakeBindApi implements BindApi {
    final List<Long> epochs = Collections.synchronizedList(new ArrayList<>());
    public static final String SCHEDULER = "slotwise-extender";

    private final Map<String, PodAnswer> pods = new ConcurrentHashMap<>();
    /** The resource version that each binding named. */
    final Map<String, String> versions = new ConcurrentHashMap<>();
    /** The UIDs of the last durable start. */
    final Set<String> started = ConcurrentHashMap.newKeySet();

    /** The answer to reads of a reservation. */
    Supplier<ReservationAnswer> reading = () -> new BindApi.Unanswered("no answer");

    private final Map<String, Deque<Supplier<BindAnswer>>> bindAnswers = new ConcurrentHashMap<>();
    private final Deque<Supplier<MarkAnswer>> markAnswers = new ArrayDeque<>();
    private final List<String> writes = Collections.synchronizedList(new ArrayList<>());
    private final Set<String> bound = ConcurrentHashMap.newKeySet();
    private Runnable beforePodIsRead = () -> {};

    /** The writes in their order, such as {@code mark user/g 1 at 2030-01-01T00:00:00Z} and {@code bind g-0 n00}. */
    public List<String> writes() {
        return List.copyOf(writes);
    }

    public Set<String> bound() {
        return Set.copyOf(bound);
    }

    void pod(String name, PodAnswer answer) {
        pods.put(name, answer);
    }

    /** Queues an answer to a binding of this pod. After the queued answers, bindings are answered truly. */
    void binding(String pod, Supplier<BindAnswer> answer) {
        bindAnswers.computeIfAbsent(pod, name -> new ArrayDeque<>()).add(answer);
    }

    /** Queues an answer to the status write. After the queued answers, the write succeeds. */
    void marking(Supplier<MarkAnswer> answer) {
        markAnswers.add(answer);
    }

    void beforePodIsRead(Runnable action) {
        beforePodIsRead = action;
    }

    static PodAnswer.Found unbound(String pod) {
        return new PodAnswer.Found("uid-of-" + pod, null, SCHEDULER, false, false);
    }

    static PodAnswer.Found boundOn(String pod, String node) {
        return new PodAnswer.Found("uid-of-" + pod, node, SCHEDULER, false, false);
    }

    @Override
    public PodAnswer readPod(String namespace, String name) {
        Runnable action = beforePodIsRead;
        beforePodIsRead = () -> {};
        action.run();
        return pods.getOrDefault(name, unbound(name));
    }

    @Override
    public BindAnswer bind(BindRequest request) {
        String name = request.pod();
        String node = request.node();
        writes.add("bind " + name + " " + node);
        versions.put(name, String.valueOf(request.version()));
        Deque<Supplier<BindAnswer>> answers = bindAnswers.get(name);
        if (answers != null && !answers.isEmpty()) {
            return answers.removeFirst().get();
        }
        if (pods.getOrDefault(name, unbound(name)) instanceof PodAnswer.Found found
                && found.uid().equals(request.uid())
                && found.node() == null) {
            return reallyBind(name, node);
        }
        return new BindAnswer.Conflict("conflict");
    }

    @Override
    public BindAnswer ungate(BindRequest request) {
        writes.add("ungate " + request.pod());
        return new BindAnswer.Bound();
    }

    @Override
    public ReservationAnswer read(Reservation reservation) {
        return reading.get();
    }

    BindAnswer reallyBind(String name, String node) {
        pods.put(name, boundOn(name, node));
        bound.add(name);
        return new BindAnswer.Bound();
    }

    @Override
    public MarkAnswer markRunning(Reservation reservation, Instant startedAt, List<BindRequest> members, long epoch) {
        epochs.add(epoch);
        writes.add("mark " + reservation.gang() + " "
                + reservation.getMetadata().getResourceVersion() + " at " + startedAt);
        started.clear();
        members.forEach(member -> started.add(member.uid()));
        Supplier<MarkAnswer> answer;
        synchronized (markAnswers) {
            answer = markAnswers.pollFirst();
        }
        return answer == null ? new MarkAnswer.Marked() : answer.get();
    }
}
