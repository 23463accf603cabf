package io.slotwise.kubernetes.manifest.field;

import io.fabric8.kubernetes.api.model.Quantity;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.PlacementRequest.Manner;
import io.slotwise.core.gang.Predecessors;
import io.slotwise.core.gang.Preferred;
import io.slotwise.core.gang.Provision;
import io.slotwise.core.gang.Topology;
import io.slotwise.core.gang.TopologyLevel;
import io.slotwise.core.gang.ValueOfTime;
import io.slotwise.core.money.Money;
import io.slotwise.core.money.PlainDigits;
import io.slotwise.kubernetes.crd.v1alpha1.ReservationName;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Parsers and formats for the values of {@link GangKey}s. A text that cannot be read is an {@link
 * IllegalArgumentException} whose message says what was expected.
 */
public final class GangWords {
    private static final BigDecimal MOST_BYTES = BigDecimal.valueOf(1L << 60);
    private static final String UNTIL = " until ";
    private static final Pattern LABEL_KEY =
            Pattern.compile("([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?");

    private GangWords() {}

    static @Nullable String brief(@Nullable Money money) {
        return money == null ? null : money.brief();
    }

    static String instant(long second) {
        return Instant.ofEpochSecond(second).toString();
    }

    public static Integer anyNumber(String text) {
        try {
            return Integer.valueOf(PlainDigits.of(text));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("expected a whole number", e);
        }
    }

    /** {@code AMOUNT} or {@code AMOUNT until INSTANT}. */
    static ValueOfTime valueOfTime(String text) {
        int at = text.indexOf(UNTIL);
        return at < 0
                ? ValueOfTime.always(ValueOfTime.parseHour(text))
                : new ValueOfTime(
                        ValueOfTime.parseHour(text.substring(0, at)),
                        Intervals.parseDown(text.substring(at + UNTIL.length())));
    }

    static @Nullable String spelled(ValueOfTime value) {
        String hour = value.hour().brief();
        return value.isNone() ? null : value.falls() ? hour + UNTIL + instant(value.until()) : hour;
    }

    /** {@code REFERENCE} or {@code REFERENCE weight WEIGHT}. */
    static <R> Preferred<R> preferred(String text, Function<String, R> reference) {
        return new Preferred<>(reference.apply(Preferred.reference(text)), Preferred.weight(text));
    }

    static <R> @Nullable String spelled(@Nullable Preferred<R> preferred, Function<R, String> reference) {
        return preferred == null ? null : preferred.spelled(reference.apply(preferred.reference()));
    }

    static Money positive(String text) {
        Money amount = Money.parse(text);
        if (amount.equals(Money.ZERO)) {
            throw new IllegalArgumentException("expected an amount greater than 0; the criterion cost pays least");
        }
        return amount;
    }

    static Criterion criterion(String text) {
        return Criterion.of(text)
                .orElseThrow(() -> new IllegalArgumentException("expected " + String.join(" or ", Criterion.keys())));
    }

    static String criteria() {
        List<String> keys = Criterion.keys();
        return "%s or %s.".formatted(String.join(", ", keys.subList(0, keys.size() - 1)), keys.getLast());
    }

    static String words(Predecessors after) {
        return after.gangs().stream()
                .map(gang -> gang.namespace().isEmpty() ? gang.name() : gang.toString())
                .collect(Collectors.joining(","));
    }

    static boolean trueOrFalse(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("expected true or false");
        };
    }

    static boolean isPerSlot(String text) {
        return switch (text) {
            case "slot" -> true;
            case "total" -> false;
            default -> throw new IllegalArgumentException("expected total or slot");
        };
    }

    static String labelKey(String text) {
        if (!LABEL_KEY.matcher(text).matches()) {
            throw new IllegalArgumentException("expected the key of a node label such as topology.kubernetes.io/zone");
        }
        return text;
    }

    /** Returns the key of the level that a gang prefers, or null. */
    static @Nullable String preferred(Topology topology) {
        TopologyLevel narrowestLevel = topology.spans().getFirst().level();
        return topology.patience() == null || narrowestLevel == null ? null : narrowestLevel.key();
    }

    static Provision provision(String text) {
        return Arrays.stream(Provision.values())
                .filter(provision -> provision.key().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("expected never, allowed or only"));
    }

    static Manner manner(String text) {
        return Arrays.stream(Manner.values())
                .filter(manner -> manner.key().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("expected batch, emct or emet"));
    }

    static long bytes(String text) {
        BigDecimal bytes;
        try {
            bytes = QuantityAmounts.exact(new Quantity(text));
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("expected a number of bytes such as 10Gi", e);
        }
        if (bytes.signum() < 0 || bytes.compareTo(MOST_BYTES) > 0) {
            throw new IllegalArgumentException("expected a number of bytes between 0 and 1Ei");
        }
        return bytes.setScale(0, RoundingMode.CEILING).longValueExact();
    }

    static String queueName(String text) {
        if (!ReservationName.isValid(text)) {
            throw new IllegalArgumentException("expected the name of a queue");
        }
        return text;
    }

    static String objectName(String text) {
        if (!ReservationName.isValid(text)) {
            throw new IllegalArgumentException("expected the name of an advance Reservation of the same namespace");
        }
        return text;
    }

    static OptionalDouble weight(String text) {
        try {
            BigDecimal weight = new BigDecimal(PlainDigits.of(text));
            if (weight.signum() >= 0 && weight.compareTo(BigDecimal.ONE) <= 0) {
                return OptionalDouble.of(weight.doubleValue());
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("expected a number between 0 and 1", e);
        }
        throw new IllegalArgumentException("expected a number between 0 and 1");
    }
}
