package io.slotwise.it;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.io.Console;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The Reservations as a table that is redrawn in place on a terminal. Elsewhere each change is printed as a line. */
final class ReservationTable {
    private static final String ROW = "%-22s %4s  %-9s  %-12s  %-10s  %-20s  %s%n";

    private final PrintStream out;
    private final boolean terminal;
    private final Map<String, String> shown = new HashMap<>();
    private int height;

    ReservationTable(PrintStream out) {
        this.out = out;
        this.terminal =
                Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false);
    }

    void show(List<GenericKubernetesResource> reservations, Instant now) {
        List<GenericKubernetesResource> sorted = reservations.stream()
                .sorted(Comparator.comparing(r -> r.getMetadata().getName()))
                .toList();
        if (terminal) {
            redraw(sorted, now);
        } else {
            sorted.forEach(reservation -> printChange(reservation, now));
        }
    }

    private void redraw(List<GenericKubernetesResource> reservations, Instant now) {
        List<String> lines = new ArrayList<>();
        lines.add(heading());
        reservations.forEach(reservation -> lines.add(row(reservation, now)));
        StringBuilder text = new StringBuilder(height > 0 ? "\033[" + height + "A" : "");
        lines.forEach(line -> text.append("\033[2K").append(line));
        out.print(text);
        out.flush();
        height = lines.size();
    }

    private void printChange(GenericKubernetesResource reservation, Instant now) {
        String state = row(reservation, Instant.EPOCH);
        if (!state.equals(shown.put(reservation.getMetadata().getName(), state))) {
            if (shown.size() == 1 && height++ == 0) {
                out.print(heading());
            }
            out.print(row(reservation, now));
        }
    }

    private static String heading() {
        return ROW.formatted("GANG", "PODS", "PHASE", "START", "STARTED", "COST / BUDGET", "NODES");
    }

    private static String row(GenericKubernetesResource reservation, Instant now) {
        List<Map<String, Object>> placement =
                Objects.requireNonNullElse(reservation.get("spec", "window", "placement"), List.of());
        String waits = placement.isEmpty() ? Cluster.condition(reservation, "Planned") : "";
        return ROW.formatted(
                reservation.getMetadata().getName(),
                placement.isEmpty() ? "" : Integer.toString(placement.size()),
                Cluster.phase(reservation),
                start(reservation.get("spec", "window", "start"), now),
                clockTime(reservation.get("status", "startedAt")),
                cost(reservation),
                placement.isEmpty() ? cut(waits, 70) : nodes(placement));
    }

    /** The promised second, with the time until then if it is in the future. */
    private static String start(@Nullable String instant, Instant now) {
        if (instant == null) {
            return "";
        }
        long ahead = Duration.between(now, Instant.parse(instant)).toSeconds();
        boolean soon = ahead > 0 && ahead < 1000 && now.isAfter(Instant.EPOCH);
        return soon ? "in " + ahead + " s" : clockTime(instant);
    }

    private static String clockTime(@Nullable String instant) {
        return instant == null ? "" : instant.substring(11, 19);
    }

    private static String cost(GenericKubernetesResource reservation) {
        String cost = reservation.get("spec", "window", "cost");
        String budget = reservation.get("spec", "budget");
        return (cost == null ? "-" : shortened(cost)) + (budget == null ? "" : " / " + shortened(budget));
    }

    /** Money without trailing zeros. */
    private static String shortened(String money) {
        return money.contains(".") ? money.replaceAll("0+$", "").replaceAll("\\.$", "") : money;
    }

    /** The nodes with their numbers of pods. */
    private static String nodes(List<Map<String, Object>> placement) {
        Map<String, Integer> counts = new TreeMap<>();
        placement.forEach(item -> counts.merge(String.valueOf(item.get("node")), 1, Integer::sum));
        List<String> names = new ArrayList<>();
        counts.forEach((node, count) -> names.add(count == 1 ? node : node + " x" + count));
        return cut(String.join(", ", names), 70);
    }

    private static String cut(String text, int length) {
        return text.length() <= length ? text : text.substring(0, length - 3) + "...";
    }
}
