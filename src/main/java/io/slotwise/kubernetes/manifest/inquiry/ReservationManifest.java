package io.slotwise.kubernetes.manifest.inquiry;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.text.SafeText;
import io.slotwise.kubernetes.crd.v1alpha1.HoldSpec;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.crd.v1alpha1.ReservationName;
import io.slotwise.kubernetes.crd.v1alpha1.ReservationSpec;
import io.slotwise.kubernetes.manifest.ClusterObjects;
import io.slotwise.kubernetes.manifest.Intake;
import io.slotwise.kubernetes.manifest.IntakeResult;
import io.slotwise.kubernetes.manifest.field.GangKey;
import io.slotwise.kubernetes.manifest.field.GangWords;
import io.slotwise.kubernetes.manifest.field.Intervals;
import io.slotwise.kubernetes.manifest.field.InvalidField;
import io.slotwise.kubernetes.manifest.field.QuantityAmounts;
import io.slotwise.kubernetes.manifest.pods.PodFilter;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.settings.LoopSettings;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The manifest of an advance reservation from a user's description. */
public final class ReservationManifest {
    public static final String SIZE = "size";
    public static final String START = "start";

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Set<GangKey<?>> OF_WINDOW = Set.of(GangKey.RUNTIME, GangKey.EARLIEST_START, GangKey.DEADLINE);

    private final Reservation reservation;

    private ReservationManifest(Reservation reservation) {
        this.reservation = reservation;
    }

    /**
     * The description of an advance reservation, in texts as in the annotations of pods.
     *
     * @param terms the terms by name: {@code size}, {@code start}, and those of {@link GangKey#reserved}. The start is
     *     exact, and the end follows from {@code runtime}, the same on every node, or from {@code deadline}
     * @param resources the resources of one seat, each an amount such as {@code 4} or {@code 8Gi}
     */
    public record Words(Map<String, String> terms, Map<String, String> resources, Map<String, String> nodeSelector) {
        public Words {
            terms = Map.copyOf(terms);
        }

        private @Nullable String of(String word) {
            return terms.get(word);
        }

        private @Nullable String of(GangKey<?> key) {
            return terms.get(key.word());
        }
    }

    /**
     * Makes the manifest of an advance reservation.
     *
     * @param now seconds since the epoch; no reservation starts earlier
     * @throws InvalidField if something cannot be read; the message names it and what was expected
     */
    public static ReservationManifest of(String namespace, String name, Words words, long now) {
        if (!ReservationName.isValid(name)) {
            throw new InvalidField(
                    "name",
                    ("`name` (%s) is not valid: expected at most %d of a-z, 0-9, - and ., from a letter or "
                                    + "digit to a letter or digit")
                            .formatted(SafeText.value(name), ReservationName.LONGEST));
        }
        String start = words.of(START);
        lies(start == null ? "deadline" : START, start == null ? words.of(GangKey.DEADLINE) : start, now);
        Map<String, Quantity> resources = new TreeMap<>();
        words.resources().forEach((resource, amount) -> resources.put(resource, amount(resource, amount)));
        HoldSpec hold = hold(words, resources);
        Reservation reservation = new Reservation();
        reservation.setMetadata(
                new ObjectMetaBuilder().withNamespace(namespace).withName(name).build());
        reservation.setSpec(
                new ReservationSpec(null, null, null, null, null, null, null, null, null, null, hold, null));
        ReservationManifest manifest = new ReservationManifest(reservation);
        manifest.check();
        return manifest;
    }

    /** Makes the specification. A fixed window states its time and length by itself. */
    private static HoldSpec hold(Words words, Map<String, Quantity> resources) {
        String start = words.of(START);
        Map<String, Object> fields = new TreeMap<>();
        if (start != null) {
            fields.put("window", window(start, words));
        }
        fields.put("size", read(SIZE, String.valueOf(words.of(SIZE)), GangWords::anyNumber));
        fields.put("resources", resources);
        fields.put("nodeSelector", words.nodeSelector());
        GangKey.reserved().forEach(key -> {
            String text = words.of(key);
            if (text != null && (start == null || !OF_WINDOW.contains(key))) {
                fields.put(key.heldAs(), read(key.word(), text, key::written));
            }
        });
        return MAPPER.convertValue(fields, HoldSpec.class);
    }

    private static Quantity amount(String resource, String amount) {
        try {
            return QuantityAmounts.parse(resource, amount);
        } catch (IllegalArgumentException e) {
            throw new InvalidField(resource, e);
        }
    }

    /** Refuses an instant that has passed. */
    private static void lies(String field, @Nullable String text, long now) {
        if (text != null && read(field, text, Intervals::parseUp) < now) {
            throw new InvalidField(
                    field,
                    "`%s` (%s) is in the past: expected an instant from %s on"
                            .formatted(field, SafeText.value(text), Instant.ofEpochSecond(now)));
        }
    }

    private static HoldSpec.Span window(String start, Words words) {
        String earliest = words.of(GangKey.EARLIEST_START);
        String runtime = words.of(GangKey.RUNTIME);
        String deadline = words.of(GangKey.DEADLINE);
        if (earliest != null) {
            throw new InvalidField(
                    GangKey.EARLIEST_START.word(),
                    "`earliest` (%s) has no meaning together with `start` (%s): expected one of them"
                            .formatted(earliest, start));
        }
        if ((runtime == null) == (deadline == null)) {
            throw new InvalidField(
                    START, "`start` (%s) needs an end: expected either `runtime` or `deadline`".formatted(start));
        }
        long first = read(START, start, GangKey.EARLIEST_START::parse);
        long end = runtime == null
                ? read(GangKey.DEADLINE.word(), String.valueOf(deadline), GangKey.DEADLINE::parse)
                : first + read(GangKey.RUNTIME.word(), runtime, GangKey.RUNTIME::parse);
        return new HoldSpec.Span(
                Instant.ofEpochSecond(first).toString(),
                Instant.ofEpochSecond(end).toString());
    }

    private static <T> T read(String field, String text, Function<String, T> reading) {
        try {
            return reading.apply(text);
        } catch (IllegalArgumentException e) {
            throw new InvalidField(field, "`%s` (%s) is not valid: %s".formatted(field, text, e.getMessage()));
        }
    }

    /** Reads the manifest as Slotwise will. */
    private void check() {
        ClusterObjects objects = ClusterObjects.NONE.withReservations(List.of(reservation));
        IntakeResult result =
                new Intake(LoopSettings.DEFAULT, PriceCatalogue.bundled(), PodFilter.FILES).take(objects, Map.of(), 0);
        for (Pending pending : result.snapshot().held()) {
            throw new InvalidField(
                    pending.refusal() instanceof Refusal.InvalidRequest request ? request.field() : null,
                    pending.refusal().message());
        }
    }

    public Reservation reservation() {
        return reservation;
    }

    /** Returns the manifest as YAML, ending in a line feed. */
    public String yaml() {
        return Serialization.asYaml(reservation);
    }

    /** Returns the manifest as JSON, ending in a line feed. */
    public String json() {
        return Serialization.asJson(reservation) + "\n";
    }
}
