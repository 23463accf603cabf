package io.slotwise.kubernetes.manifest.field;

import io.fabric8.kubernetes.api.model.Quantity;
import io.slotwise.core.money.PlainDigits;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.text.SafeText;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Converts Kubernetes quantities into integers: milli-cores of {@code cpu}, bytes, and units of everything else.
 * Requests are rounded up and the amounts of nodes are rounded down, so that a plan fits.
 *
 * <p>A cluster has few different quantities, each many times. They are cached for one run.
 */
public final class QuantityAmounts {
    private static final BigDecimal LARGEST = BigDecimal.valueOf(Long.MAX_VALUE);

    /** The largest number of cores. Cores are counted in thousandths. */
    private static final BigDecimal MOST_CORES = BigDecimal.valueOf(Long.MAX_VALUE / 1000);

    /** The longest text of an amount, characters. More digits cost time and mean nothing. */
    private static final int LONGEST = 64;

    private static final int MOST_DIGITS = 100;

    private static final BigDecimal MILLI = BigDecimal.valueOf(1000);

    private final Map<Written, Long> up = new HashMap<>();
    private final Map<Written, Long> down = new HashMap<>();

    private record Written(
            boolean cpu, @Nullable String amount, @Nullable String format) {}

    /** Converts requests, rounded up. */
    public SortedMap<String, Long> requests(@Nullable Map<String, Quantity> quantities) {
        TreeMap<String, Long> amounts = new TreeMap<>();
        if (quantities != null) {
            quantities.forEach((name, quantity) -> amounts.put(name, amount(name, quantity, RoundingMode.CEILING, up)));
        }
        return amounts;
    }

    /**
     * Converts the amounts of a node, rounded down. Amounts that cannot be read are left out.
     *
     * @param unread receives each resource that cannot be read, and why
     */
    public Resources offered(@Nullable Map<String, Quantity> quantities, BiConsumer<String, String> unread) {
        TreeMap<String, Long> amounts = new TreeMap<>();
        if (quantities != null) {
            new TreeMap<>(quantities).forEach((name, quantity) -> {
                try {
                    amounts.put(name, amount(name, quantity, RoundingMode.FLOOR, down));
                } catch (IllegalArgumentException e) {
                    unread.accept(name, String.valueOf(e.getMessage()));
                }
            });
        }
        return Resources.of(amounts);
    }

    /** Returns requests as Kubernetes quantities, without the pod itself. */
    public static SortedMap<String, Quantity> quantities(Resources resources) {
        TreeMap<String, Quantity> quantities = new TreeMap<>();
        resources.asMap().forEach((name, amount) -> {
            if (name.equals(Resources.CPU)) {
                quantities.put(name, new Quantity(amount % 1000 == 0 ? "" + amount / 1000 : amount + "m"));
            } else if (!name.equals(Resources.PODS)) {
                quantities.put(name, new Quantity(String.valueOf(amount)));
            }
        });
        return quantities;
    }

    /**
     * Parses an amount of a resource.
     *
     * @throws IllegalArgumentException with a message that names the resource
     */
    public static Quantity parse(String resource, String text) {
        try {
            Quantity quantity = Quantity.parse(text);
            exact(resource, quantity);
            return quantity;
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(
                    "`%s` (%s) is not valid: expected a number such as 500m, 2 or 4Gi"
                            .formatted(SafeText.value(resource), SafeText.value(text)),
                    e);
        }
    }

    /** Returns the extended resources. Kubernetes requires their limits to equal the requests. */
    public static SortedMap<String, Quantity> extended(Resources resources) {
        SortedMap<String, Quantity> quantities = quantities(resources);
        quantities.keySet().removeIf(name -> name.indexOf('/') < 0);
        return quantities;
    }

    /**
     * Returns an amount in units or bytes.
     *
     * @throws RuntimeException if the quantity is empty, or has so many digits that rounding takes long
     */
    public static BigDecimal exact(Quantity quantity) {
        if (quantity.getAmount() != null && quantity.getAmount().length() > LONGEST) {
            throw new IllegalArgumentException("too long");
        }
        PlainDigits.of(quantity.toString());
        BigDecimal exact = Quantity.getAmountInBytes(quantity);
        if (Math.abs((long) exact.scale()) > MOST_DIGITS) {
            throw new IllegalArgumentException("too large or too small");
        }
        return exact;
    }

    private static long amount(
            String name, @Nullable Quantity quantity, RoundingMode rounding, Map<Written, Long> remembered) {
        if (quantity == null) {
            throw new IllegalArgumentException("the quantity of %s is missing: expected a number such as 500m, 2 or 4Gi"
                    .formatted(SafeText.value(name)));
        }
        boolean cpu = name.equals(Resources.CPU);
        Written written = new Written(cpu, quantity.getAmount(), quantity.getFormat());
        Long known = remembered.get(written);
        if (known == null) {
            known = whole(name, quantity, cpu, rounding);
            remembered.put(written, known);
        }
        return known;
    }

    private static long whole(String name, Quantity quantity, boolean cpu, RoundingMode rounding) {
        BigDecimal exact = exact(name, quantity);
        BigDecimal scaled = (cpu ? exact.multiply(MILLI) : exact).setScale(0, rounding);
        if (scaled.signum() < 0 || scaled.compareTo(LARGEST) > 0) {
            throw new IllegalArgumentException("the quantity (%s) of %s is not valid: expected between 0 and %s"
                    .formatted(
                            SafeText.value(quantity.toString()),
                            SafeText.value(name),
                            (cpu ? MOST_CORES : LARGEST).toPlainString()));
        }
        return scaled.longValueExact();
    }

    /**
     * Returns an amount in units or bytes.
     *
     * @throws IllegalArgumentException with a message that names the resource
     */
    public static BigDecimal exact(String name, Quantity quantity) {
        if (quantity.getAmount() != null && quantity.getAmount().length() > LONGEST) {
            throw new IllegalArgumentException("the quantity (%s) of %s is too long: expected at most %d characters"
                    .formatted(SafeText.value(quantity.toString()), SafeText.value(name), LONGEST));
        }
        try {
            return exact(quantity);
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(
                    "the quantity (%s) of %s is not valid: expected a number such as 500m, 2 or 4Gi"
                            .formatted(SafeText.value(quantity.toString()), SafeText.value(name)),
                    e);
        }
    }
}
