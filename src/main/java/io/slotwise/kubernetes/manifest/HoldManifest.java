package io.slotwise.kubernetes.manifest;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.text.Shown;
import io.slotwise.core.time.Durations;
import io.slotwise.kubernetes.crd.v1alpha1.HoldSpec;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.crd.v1alpha1.ReservationName;
import io.slotwise.kubernetes.crd.v1alpha1.ReservationSpec;
import io.slotwise.kubernetes.gangs.Groups;
import io.slotwise.live.Settings;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The manifest of an advance reservation that somebody describes in words. */
public final class HoldManifest {
    private final Reservation reservation;

    private HoldManifest(Reservation reservation) {
        this.reservation = reservation;
    }

    /**
     * What an advance reservation is to keep. Texts as in the annotations of pods; null: not said.
     *
     * @param size how many seats
     * @param resources of one seat, each an amount such as {@code 4} or {@code 8Gi}
     * @param runtime how long
     * @param start exactly when; it lasts for {@code runtime} on every node, or until {@code deadline}
     * @param earliest it starts no earlier
     * @param deadline it ends no later
     * @param budget the most that it may cost
     * @param criterion what is to be least
     * @param topology a node label's key
     * @param maxPerNode the most seats on one node
     * @param lockstep {@code true} or {@code false}
     * @param nodeSelector labels that the nodes must have
     */
    public record Words(
            String size,
            Map<String, String> resources,
            @Nullable String runtime,
            @Nullable String start,
            @Nullable String earliest,
            @Nullable String deadline,
            @Nullable String budget,
            @Nullable String criterion,
            @Nullable String topology,
            @Nullable String maxPerNode,
            @Nullable String lockstep,
            Map<String, String> nodeSelector) {}

    /**
     * The manifest of an advance reservation.
     *
     * @param now seconds since the epoch; no reservation starts earlier
     * @throws InvalidField if something cannot be read; the message names it and what was expected
     */
    public static HoldManifest of(String namespace, String name, Words words, long now) {
        if (!ReservationName.isValid(name)) {
            throw new InvalidField(
                    "name",
                    "`name` (%s) is not valid: expected at most %d of a-z, 0-9, - and ., from a letter or digit to a letter or digit"
                            .formatted(Shown.value(name), ReservationName.LONGEST));
        }
        lies(
                words.start() == null ? "deadline" : "start",
                words.start() == null ? words.deadline() : words.start(),
                now);
        Map<String, Quantity> resources = new TreeMap<>();
        words.resources().forEach((resource, amount) -> resources.put(resource, amount(resource, amount)));
        HoldSpec.Span window = words.start() == null ? null : window(words.start(), words);
        HoldSpec hold = new HoldSpec(
                read("size", words.size(), HoldManifest::number),
                resources,
                window == null ? words.runtime() : null,
                window,
                window == null ? words.earliest() : null,
                window == null ? words.deadline() : null,
                words.budget(),
                words.criterion(),
                words.topology(),
                words.maxPerNode() == null ? null : read("max-per-node", words.maxPerNode(), HoldManifest::number),
                words.lockstep() == null ? null : read("lockstep", words.lockstep(), GangTerms::trueOrFalse),
                words.nodeSelector(),
                List.of());
        Reservation reservation = new Reservation();
        reservation.setMetadata(
                new ObjectMetaBuilder().withNamespace(namespace).withName(name).build());
        reservation.setSpec(
                new ReservationSpec(null, null, null, null, null, null, null, null, null, null, hold, null));
        HoldManifest manifest = new HoldManifest(reservation);
        manifest.check();
        return manifest;
    }

    private static Quantity amount(String resource, String amount) {
        try {
            return Amounts.parse(resource, amount);
        } catch (IllegalArgumentException e) {
            throw new InvalidField(resource, e);
        }
    }

    /** An instant that is over helps nobody. */
    private static void lies(String field, @Nullable String text, long now) {
        if (text != null && read(field, text, Intervals::parseUp) < now) {
            throw new InvalidField(
                    field,
                    "`%s` (%s) is in the past: expected an instant from %s on"
                            .formatted(field, Shown.value(text), Instant.ofEpochSecond(now)));
        }
    }

    private static HoldSpec.Span window(String start, Words words) {
        if (words.earliest() != null) {
            throw new InvalidField(
                    "earliest-start",
                    "`earliest` (%s) has no meaning together with `start` (%s): expected one of them"
                            .formatted(words.earliest(), start));
        }
        if ((words.runtime() == null) == (words.deadline() == null)) {
            throw new InvalidField(
                    "start", "`start` (%s) needs an end: expected either `runtime` or `deadline`".formatted(start));
        }
        long first = read("start", start, Intervals::parseUp);
        long end = words.runtime() == null
                ? read("deadline", String.valueOf(words.deadline()), Intervals::parseDown)
                : first + read("runtime", words.runtime(), Durations::parsePositive);
        return new HoldSpec.Span(
                Instant.ofEpochSecond(first).toString(),
                Instant.ofEpochSecond(end).toString());
    }

    /** Reads a word that the manifest itself is made of. */
    private static <T> T read(String field, String text, Function<String, T> reading) {
        try {
            return reading.apply(text);
        } catch (IllegalArgumentException e) {
            throw new InvalidField(field, "`%s` (%s) is not valid: %s".formatted(field, text, e.getMessage()));
        }
    }

    private static Integer number(String text) {
        try {
            return Integer.valueOf(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("expected a whole number", e);
        }
    }

    /** Reads it as Slotwise will. */
    private void check() {
        ClusterObjects objects = new ClusterObjects(List.of(), List.of(), List.of(), List.of(reservation), Groups.NONE);
        Taken taken =
                new Intake(Settings.DEFAULT, PriceCatalogue.bundled(), Candidates.FILES).take(objects, Map.of(), 0);
        for (Pending held : taken.snapshot().held()) {
            throw new InvalidField(
                    held.refusal() instanceof Refusal.InvalidRequest request ? request.field() : null,
                    held.refusal().message());
        }
    }

    /** The object itself. */
    public Reservation reservation() {
        return reservation;
    }

    /** As YAML, with a line feed at its end. */
    public String yaml() {
        return Serialization.asYaml(reservation);
    }

    /** As JSON, with a line feed at its end. */
    public String json() {
        return Serialization.asJson(reservation) + "\n";
    }
}
