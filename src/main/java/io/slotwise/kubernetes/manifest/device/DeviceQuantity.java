package io.slotwise.kubernetes.manifest.device;

import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;

/** An amount such as {@code 40Gi} in an expression about devices. Amounts of the same size are equal. */
record DeviceQuantity(BigDecimal amount) implements Comparable<DeviceQuantity> {
    private static final int LONGEST = 64;
    private static final int MOST_DIGITS = 100;

    DeviceQuantity {
        amount = amount.stripTrailingZeros();
    }

    /**
     * @throws IllegalArgumentException if the quantity is empty or has excessively many digits
     */
    static DeviceQuantity of(Quantity quantity) {
        String text = quantity.getAmount() + (quantity.getFormat() == null ? "" : quantity.getFormat());
        if (quantity.getAmount() == null || text.length() > LONGEST) {
            throw new IllegalArgumentException("expected a quantity such as 40Gi");
        }
        try {
            BigDecimal amount = Quantity.getAmountInBytes(quantity);
            if (Math.abs((long) amount.scale()) > MOST_DIGITS) {
                throw new IllegalArgumentException("expected a quantity such as 40Gi");
            }
            return new DeviceQuantity(amount);
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("expected a quantity such as 40Gi", e);
        }
    }

    static DeviceQuantity parse(String text) {
        if (text.length() > LONGEST) {
            throw new IllegalArgumentException("expected a quantity such as 40Gi");
        }
        return of(Quantity.parse(text));
    }

    static boolean isOne(String text) {
        try {
            return parse(text).signum() >= Integer.MIN_VALUE;
        } catch (RuntimeException e) {
            return false;
        }
    }

    long signum() {
        return amount.signum();
    }

    /** Returns whether the amount is an integer that a long can hold. */
    boolean isInteger() {
        return amount.scale() <= 0
                && amount.precision() - amount.scale() < 20
                && amount.toBigInteger().bitLength() < 64;
    }

    long asInteger() {
        return amount.longValueExact();
    }

    DeviceQuantity plus(DeviceQuantity other) {
        return new DeviceQuantity(amount.add(other.amount));
    }

    DeviceQuantity minus(DeviceQuantity other) {
        return new DeviceQuantity(amount.subtract(other.amount));
    }

    @Override
    public int compareTo(DeviceQuantity other) {
        return amount.compareTo(other.amount);
    }
}
