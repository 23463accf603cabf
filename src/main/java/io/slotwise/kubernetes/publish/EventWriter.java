package io.slotwise.kubernetes.publish;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.events.v1.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.crd.v1alpha1.RetryAfter;
import io.slotwise.kubernetes.crd.v1alpha1.queue.QueueObject;
import io.slotwise.kubernetes.gangs.GroupKey;
import io.slotwise.kubernetes.gangs.GroupKind;
import io.slotwise.kubernetes.watch.ClusterWatch;
import io.slotwise.live.port.ClusterView.Notice;
import io.slotwise.live.port.EventRecorder;
import io.slotwise.live.record.GangRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Writes events of {@code events.k8s.io/v1}, mostly on the gang's record. Pods get only what is not visible elsewhere,
 * so a gang that starts at once costs one event per pod:
 * <ul>
 * <li>A pod that Slotwise binds gets the event that kube-scheduler writes for its own pods.
 * <li>A promise is announced on pods that wait long for kube-scheduler, whose condition only states the gate. Other
 * pods have a condition for it ({@link WaitingPods}).
 * <li>The reason of a wait, and the loss of late placements, is written once, on the gang's first pod instead of the
 * record.
 * <li>Everything else that may need a user's action is written on every pod.
 * </ul>
 *
 * <p>An unanswered event is retried for a minute, after later events. A refused event is logged and dropped.
 */
public final class EventWriter implements EventRecorder {
    private static final String RESERVATION = "Reservation";
    private static final Set<String> OWN_KINDS = Set.of(RESERVATION, HasMetadata.getKind(QueueObject.class));
    private static final Logger LOG = Logger.getLogger(EventWriter.class);
    private static final String CONTROLLER = "slotwise.io/slotwise";
    private static final String SCHEDULED = "Scheduled";
    private static final String FOR_CLUSTER_OBJECTS = "default";
    /** The longest note of an event, bytes. */
    private static final int LONGEST_NOTE = 1024;

    private static final int LONGEST_NAME = 200;
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private final KubernetesClient client;
    private final ClusterWatch watch;
    private final InstantSource clock;
    private final String instance;
    private final Writers writers;
    private final PodGroupStatus podGroups;
    private final QueueConditions queues;
    private final AtomicLong count = new AtomicLong();

    /**
     * The executors that write events.
     *
     * @param warnings runs one task for each warning; only these state why a gang waits again
     */
    public record Writers(Executor warnings, Executor others) {}

    public EventWriter(
            KubernetesClient client, ClusterWatch watch, InstantSource clock, String instance, Writers writers) {
        this.client = client;
        this.watch = watch;
        this.clock = clock;
        this.instance = instance;
        this.writers = writers;
        this.podGroups = new PodGroupStatus(
                client, key -> watch.groups().find(key), clock, writers.others(), Duration.ofSeconds(2));
        this.queues = new QueueConditions(client, clock, writers.others());
    }

    /** Announces without the names of gangs in other namespaces, because readers of events may not see these. */
    @Override
    public void announce(GangRecord record, Announcement wholeAnnouncement) {
        Announcement announcement = wholeAnnouncement.asSeen(record.gang().namespace()::equals);
        Reservation reservation = watch.reservations().byGang(record.gang());
        if (announcement.reason().isWait() || announcement.reason() == Reason.LATE_PODS_GIVEN_UP) {
            explain(record, reservation, announcement);
            return;
        }
        if (reservation != null) {
            write(reference(reservation), announcement);
        }
        if (announcement.reason() == Reason.GANG_STARTED) {
            scheduled(record, announcement.message());
            return;
        }
        Reason reason = announcement.reason();
        boolean everybody = reservation == null || (reason.warning() && reason != Reason.WINDOW_BROKEN);
        boolean patient = reason == Reason.WINDOW_BROKEN || (reason == Reason.WINDOW_PROMISED && isFarOff(record));
        if (everybody || patient) {
            pods(record).values().stream()
                    .filter(pod -> everybody || !watch.goesDirect(pod))
                    .forEach(pod -> write(reference(pod), announcement));
        }
    }

    /**
     * Writes one event on the first of the gang's pods by name, or on its record without pods. The record states the
     * reason of a wait by itself, and the other pods have a condition.
     */
    private void explain(GangRecord record, @Nullable Reservation reservation, Announcement announcement) {
        SortedMap<String, Pod> pods = new TreeMap<>(pods(record));
        if (!pods.isEmpty()) {
            write(reference(pods.firstEntry().getValue()), announcement);
        } else if (reservation != null) {
            write(reference(reservation), announcement);
        }
    }

    /** Returns whether a gang waits so long that its pods have to state why. */
    private boolean isFarOff(GangRecord record) {
        OptionalLong start = record.windowStart();
        return start.isPresent()
                && start.getAsLong() > clock.instant().plus(WaitingPods.LONG).getEpochSecond();
    }

    /**
     * Writes the events of kube-scheduler for the pods that Slotwise bound, with the gang, and updates their PodGroups.
     */
    private void scheduled(GangRecord record, String message) {
        if (record.promise() == null) {
            return;
        }
        String gang = record.gang().toString();
        List<Pod> bound = new ArrayList<>();
        record.promise().window().placements().forEach(placement -> {
            Pod pod = watch.pod(record.gang().namespace(), placement.pod());
            if (pod != null && watch.goesDirect(pod)) {
                bound.add(pod);
                String node = String.valueOf(pod.getSpec().getNodeName());
                write(
                        reference(pod),
                        SCHEDULED,
                        "assigned %s/%s to %s; gang %s: %s"
                                .formatted(record.gang().namespace(), placement.pod(), node, gang, message),
                        false);
            }
        });
        podGroups.scheduled(record.gang().namespace(), bound);
    }

    @Override
    public void notice(Notice notice) {
        LOG.warnf("%s %s: %s: %s", notice.kind(), notice.name(), notice.reason(), notice.message());
        ObjectReferenceBuilder about = new ObjectReferenceBuilder()
                .withApiVersion(OWN_KINDS.contains(notice.kind()) ? HasMetadata.getApiVersion(Reservation.class) : "v1")
                .withKind(notice.kind())
                .withName(notice.name());
        if (!notice.namespace().isEmpty()) {
            about.withNamespace(notice.namespace());
        }
        HasMetadata object = object(notice);
        if (object != null) {
            about.withApiVersion(object.getApiVersion())
                    .withUid(object.getMetadata().getUid());
        }
        write(about.build(), notice.reason(), notice.message(), true);
    }

    @Override
    public void show(Collection<Notice> notices) {
        queues.show(watch.queues(), notices);
    }

    private @Nullable HasMetadata object(Notice notice) {
        return switch (notice.kind()) {
            case "Node" -> watch.node(notice.name());
            case "Pod" -> watch.pod(notice.namespace(), notice.name());
            default ->
                Arrays.stream(GroupKind.values())
                        .filter(kind -> kind.kind().equals(notice.kind()))
                        .flatMap(kind -> Stream.ofNullable(
                                watch.groups().find(new GroupKey(kind, notice.namespace(), notice.name()))))
                        .findFirst()
                        .orElse(null);
        };
    }

    private Map<String, Pod> pods(GangRecord record) {
        Map<String, Pod> pods = new LinkedHashMap<>();
        if (record.ownership().isHeld()) {
            return pods;
        }
        watch.podsOf(record.gang()).forEach(pod -> pods.put(pod.getMetadata().getName(), pod));
        if (record.promise() != null) {
            record.promise().window().placements().forEach(placement -> {
                Pod pod = watch.pod(record.gang().namespace(), placement.pod());
                if (pod != null) {
                    pods.put(placement.pod(), pod);
                }
            });
        }
        return pods;
    }

    private void write(ObjectReference about, Announcement announcement) {
        write(
                about,
                announcement.reason().key(),
                announcement.message(),
                announcement.reason().warning());
    }

    private void write(ObjectReference about, String reason, String message, boolean warning) {
        Event event = event(about, reason, message, warning);
        Instant latest = clock.instant().plus(PATIENCE);
        send(event, latest, warning ? writers.warnings() : writers.others());
    }

    private void send(Event event, Instant latest, Executor writer) {
        writer.execute(() -> write(event, latest, writer));
    }

    private void write(Event event, Instant latest, Executor writer) {
        try {
            // The answer, which repeats the event, is not parsed.
            client.raw(
                    "/apis/events.k8s.io/v1/namespaces/" + event.getMetadata().getNamespace() + "/events",
                    "POST",
                    event);
        } catch (KubernetesClientException e) {
            boolean maySucceed = RetryAfter.isUnanswered(e) || RetryAfter.isTooMany(e);
            if (maySucceed && clock.instant().isBefore(latest)) {
                send(event, latest, writer);
            } else {
                LOG.debugf(
                        "the event %s on %s %s was not written: %s",
                        event.getReason(),
                        event.getRegarding().getKind(),
                        event.getRegarding().getName(),
                        e.getMessage());
            }
        }
    }

    private Event event(ObjectReference about, String reason, String message, boolean warning) {
        String namespace = about.getNamespace() == null ? FOR_CLUSTER_OBJECTS : about.getNamespace();
        String name = about.getName();
        String unique = Long.toHexString(clock.millis()) + Long.toHexString(count.incrementAndGet());
        return new EventBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name.substring(0, Math.min(name.length(), LONGEST_NAME)) + "." + unique)
                .endMetadata()
                .withEventTime(new MicroTime(MICROS.format(clock.instant())))
                .withReportingController(CONTROLLER)
                .withReportingInstance(instance)
                .withAction("Plan")
                .withReason(reason)
                .withRegarding(about)
                .withNote(note(message))
                .withType(warning ? "Warning" : "Normal")
                .build();
    }

    /** Returns a message cut to the bytes that an event takes, at a character's border. */
    static String note(String message) {
        byte[] bytes = message.getBytes(StandardCharsets.UTF_8);
        if (bytes.length <= LONGEST_NOTE) {
            return message;
        }
        int end = LONGEST_NOTE;
        while ((bytes[end] & 0xC0) == 0x80) {
            end--;
        }
        return new String(bytes, 0, end, StandardCharsets.UTF_8);
    }

    private static ObjectReference reference(HasMetadata object) {
        return new ObjectReferenceBuilder()
                .withApiVersion(object.getApiVersion())
                .withKind(object.getKind())
                .withNamespace(object.getMetadata().getNamespace())
                .withName(object.getMetadata().getName())
                .withUid(object.getMetadata().getUid())
                .withResourceVersion(object.getMetadata().getResourceVersion())
                .build();
    }
}
