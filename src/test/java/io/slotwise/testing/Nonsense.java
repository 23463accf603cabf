package io.slotwise.testing;

import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/** Random values that no user should write. */
public final class Nonsense {
    private static final List<String> KNOWN = List.of(
            "",
            " ",
            "\t",
            "null",
            "-1",
            "-0",
            "+1",
            "0",
            "00",
            "1",
            "1.5",
            "1e400",
            "1e-400",
            "1e2147483647",
            "1e-2147483647",
            "0e2147483647",
            "-1e999999999",
            "1e99999999999999999999",
            "NaN",
            "Infinity",
            "-Infinity",
            "0x7fffffff",
            "99999999999999999999999999999999",
            "9223372036854775807",
            "9223372036854775808",
            "2147483648",
            "0.0000001",
            "0.000000000000000000000000000001",
            "١٢٣",
            "1,5",
            "1_000",
            "10Gi",
            "10Zi",
            "1e999999999Ki",
            "-10Gi",
            "1h",
            "-1h",
            "1h-1m",
            "99999999999h",
            "999999999h999999999m999999999s",
            "PT",
            "P1Y",
            "PT9223372036854775807S",
            "PT-1H",
            "PT0.5S",
            "2030-01-01T00:00:00Z",
            "2030-02-30T00:00:00Z",
            "2030-01-01T23:59:60Z",
            "2016-12-31T23:59:60Z",
            "2030-01-01T00:00:00+99:00",
            "2030-01-01T00:00:00+18:00",
            "2030-01-01T00:00:00+00:00:01",
            "2030-01-01T00:00:00[Europe/Paris]",
            "+1000000000-12-31T23:59:59Z",
            "-1000000000-01-01T00:00:00Z",
            "9999-12-31T23:59:59.999999999Z",
            "0000-01-01T00:00:00Z",
            "2030-01-01T08:00:00Z/PT87600H",
            "2030-01-01T08:00:00Z/2030-01-01T07:00:00Z",
            "+1000000000-12-31T23:59:59Z/PT87600H",
            "1@* * * * */PT1S",
            "1@0 0 30 2 */PT1H",
            "1@0 0 31 2 */PT87600H;2@* * * * */PT1M",
            "NaN@* * * * */PT1H",
            "1e400@2030-01-01T08:00:00Z/PT1H",
            "0.5@2030-01-01T08:00:00Z/PT4H;0.7@2030-01-01T09:00:00Z/PT4H;0.5@2030-01-01T08:00:00Z/PT4H",
            "1@*/0 * * * */PT1H",
            "1@99 99 99 99 99/PT1H",
            "1@@hourly/PT1H",
            "@",
            ";;;",
            "1@",
            "@/",
            "1/day",
            "1/century",
            "-5/month",
            "1e400/month",
            "true",
            "TRUE",
            "maybe",
            "start",
            "energy",
            "slot",
            "emct",
            "topology.kubernetes.io/zone",
            "a/b/c",
            "/",
            "../../etc/passwd",
            "${jndi:ldap://127.0.0.1/a}",
            "%s%n%d",
            "{}",
            "[{\"minMember\": 1e400}]",
            "[[[[[[",
            "<script>alert(1)</script>",
            "'; DROP TABLE gangs; --",
            "größe",
            "名前",
            "שלום",
            "مرحبا",
            "Ζεύς",
            "🙂",
            "e\u0301",
            "\u202egnp.exe",
            "\u2066a\u2069",
            "a\u0000b",
            "a\nWARN forged",
            "a\r\nforged: 1",
            "\u001b[2J\u001b]0;title\u0007",
            "\u009b31m",
            "a\u2028b",
            "\ud83d",
            "\udc00\ud800",
            "\ufeff1");

    private final RandomGenerator random;

    public Nonsense(long seed) {
        random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    }

    /** Returns a known text, two of them joined, one of them changed somewhere, or random characters. */
    public String text() {
        return switch (random.nextInt(8)) {
            case 0 -> any(random.nextInt(40));
            case 1 -> pick(KNOWN) + pick(KNOWN);
            case 2 -> changed(pick(KNOWN));
            case 3 -> pick(KNOWN) + pick(List.of(";", ",", "/", "@", " ")) + pick(KNOWN);
            default -> pick(KNOWN);
        };
    }

    public <T> T pick(List<T> things) {
        return things.get(random.nextInt(things.size()));
    }

    /** A number below {@code bound}. */
    public int number(int bound) {
        return random.nextInt(bound);
    }

    /** Removes, doubles or replaces a piece of the text. */
    public String changed(String text) {
        if (text.isEmpty()) {
            return any(1);
        }
        int from = random.nextInt(text.length());
        int to = Math.min(text.length(), from + 1 + random.nextInt(8));
        return switch (random.nextInt(4)) {
            case 0 -> text.substring(0, from);
            case 1 -> text.substring(0, to) + text.substring(from);
            case 2 -> text.substring(0, from) + text.substring(to);
            default -> text.substring(0, from) + any(1 + random.nextInt(3)) + text.substring(to);
        };
    }

    private String any(int length) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append((char) (random.nextBoolean() ? random.nextInt(128) : random.nextInt(1 << 16)));
        }
        return text.toString();
    }
}
