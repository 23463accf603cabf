package io.slotwise.kubernetes.crd.v1alpha1;

import io.slotwise.core.gang.GangId;
import io.slotwise.live.record.Fingerprint;
import java.util.Locale;
import java.util.regex.Pattern;

/** The object name of a gang's Reservation. */
public final class ReservationName {
    /** The most characters of a name. */
    public static final int LONGEST = 253;

    private static final int LONGEST_LABEL = 63;
    private static final int HASH_BYTES = 5;
    private static final Pattern OBJECT_NAME =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
    private static final Pattern FOREIGN = Pattern.compile("[^a-z0-9-]+");
    private static final Pattern EDGES = Pattern.compile("^-+|-+$");

    private ReservationName() {}

    /** Returns whether an object may have this name. */
    public static boolean isValid(String name) {
        return name.length() <= LONGEST && OBJECT_NAME.matcher(name).matches();
    }

    /**
     * Returns the gang's own name if it is a valid object name. Otherwise the name is lower-cased and shortened, with a
     * hash that keeps it unique.
     */
    public static String of(GangId gang) {
        return isValid(gang.name()) ? gang.name() : changed(gang.name(), LONGEST);
    }

    /** Returns a name that is also valid for a namespace and a label value: at most 63 characters without a dot. */
    public static String label(String name) {
        return GangId.isNamespace(name) ? name : changed(name, LONGEST_LABEL);
    }

    private static String changed(String name, int longest) {
        String hash = Fingerprint.of(name, HASH_BYTES);
        String plain = FOREIGN.matcher(name.toLowerCase(Locale.ROOT)).replaceAll("-");
        String cut = plain.substring(0, Math.min(plain.length(), longest - hash.length() - 1));
        String trimmed = EDGES.matcher(cut).replaceAll("");
        return trimmed.isEmpty() ? "gang-" + hash : trimmed + "-" + hash;
    }
}
