package io.slotwise.kubernetes.bind;

import io.fabric8.kubernetes.api.model.PodBuilder;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.crd.v1alpha1.StartRecord;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An API server in memory. Every pod exists, unbound, with UID {@code uid-of-NAME}, unless a test says otherwise. A
 * second binding is a conflict, as at the real one.
 */
public final class FakeBindApi implements BindApi {
    /** The annotations that each pod's last binding carried. */
    final Map<String, Map<String, String>> annotations = new ConcurrentHashMap<>();

    /** The epochs of bindings, in their order. */
    final List<Long> epochs = Collections.synchronizedList(new ArrayList<>());

    public static final String SCHEDULER = "slotwise-extender";

    private final Map<String, PodAnswer> pods = new ConcurrentHashMap<>();
    /** The resource version that each binding named. */
    final Map<String, String> versions = new ConcurrentHashMap<>();
    /** The answer to reads of a reservation. */
    Supplier<ReservationAnswer> reading = () -> new BindApi.Unanswered("no answer");

    private final Map<String, Deque<Supplier<BindAnswer>>> bindAnswers = new ConcurrentHashMap<>();
    private final List<String> writes = Collections.synchronizedList(new ArrayList<>());
    private final Set<String> bound = ConcurrentHashMap.newKeySet();
    private Runnable beforePodIsRead = () -> {};

    /** The writes in their order, such as {@code bind g-0 n00}. */
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

    /** Returns the record in a pod's last binding, or null. */
    @Nullable
    Reservation record(String pod) {
        Map<String, String> carried = annotations.getOrDefault(pod, Map.of());
        PodAnswer seen = pods.get(pod);
        return carried.containsKey(StartRecord.RECORD) && seen instanceof PodAnswer.Found found
                ? StartRecord.of(new PodBuilder()
                        .withNewMetadata()
                        .withNamespace("user")
                        .withName(pod)
                        .withUid(found.uid())
                        .withAnnotations(carried)
                        .endMetadata()
                        .withNewSpec()
                        .withNodeName(found.node())
                        .endSpec()
                        .build())
                : null;
    }

    void beforePodIsRead(Runnable action) {
        beforePodIsRead = action;
    }

    static PodAnswer.Found unbound(String pod) {
        return new PodAnswer.Found("uid-of-" + pod, null, SCHEDULER, false, false, "");
    }

    static PodAnswer.Found boundOn(String pod, String node) {
        return boundBy("", pod, node);
    }

    /** A pod that the start of this name has bound. */
    static PodAnswer.Found boundBy(String run, String pod, String node) {
        return new PodAnswer.Found("uid-of-" + pod, node, SCHEDULER, false, false, run);
    }

    @Override
    public PodAnswer readPod(String namespace, String name) {
        Runnable action = beforePodIsRead;
        beforePodIsRead = () -> {};
        action.run();
        return pods.getOrDefault(name, unbound(name));
    }

    @Override
    public BindAnswer bind(BindRequest request, Map<String, String> carried) {
        String name = request.pod();
        annotations.put(name, carried);
        String run = carried.getOrDefault(StartRecord.RUN, "");
        epochs.add(Long.parseLong(run.substring(0, run.indexOf('/'))));
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
    public ReservationAnswer read(Reservation reservation) {
        return reading.get();
    }

    BindAnswer reallyBind(String name, String node) {
        String run = annotations.getOrDefault(name, Map.of()).getOrDefault(StartRecord.RUN, "");
        pods.put(name, boundBy(run, name, node));
        bound.add(name);
        return new BindAnswer.Bound();
    }
}
