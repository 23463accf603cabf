package io.slotwise.lab.workload.lublin;

import io.slotwise.core.cluster.Performance;
import io.slotwise.core.money.PlainDigits;
import io.slotwise.core.time.Durations;
import io.slotwise.lab.workload.estimate.TsafrirEstimates;
import io.slotwise.lab.workload.log.Lines;
import io.slotwise.lab.workload.log.Lines.Line;
import io.slotwise.lab.workload.log.MalformedWorkload;
import io.slotwise.lab.workload.log.TextSource;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Function;

/**
 * The parameters as users write them: {@code lublin:machine=256,jobs=5000,seed=42}, or a file with a {@code key: value}
 * on each line and {@code #} before comments.
 *
 * @param longestEstimate the maximum of estimates drawn by Tsafrir's model, seconds; 0 if estimates are the runtimes
 */
public record LublinSettings(LublinParameters parameters, long longestEstimate) {
    public static final String PREFIX = "lublin:";

    private static final int USUAL_JOBS = 1000;
    private static final double MILLION = 1_000_000;

    private record Setting(String place, String key, String value) {
        <T> T read(Function<String, T> parse) {
            try {
                return parse.apply(value);
            } catch (NumberFormatException e) {
                throw malformed("expected a whole number");
            } catch (IllegalArgumentException e) {
                throw malformed(String.valueOf(e.getMessage()));
            }
        }

        MalformedWorkload malformed(String expected) {
            return new MalformedWorkload(place, "%s (%s) is not valid: %s".formatted(key, value, expected));
        }
    }

    /** Parses {@code lublin:KEY=VALUE,...}. */
    static LublinSettings of(String text, OptionalInt machine) {
        List<Setting> settings = new ArrayList<>();
        for (String part : text.substring(PREFIX.length()).split(",", -1)) {
            if (!part.isBlank()) {
                settings.add(setting(text, part, '='));
            }
        }
        return of(settings, machine);
    }

    static LublinSettings read(TextSource source, OptionalInt machine) {
        List<Setting> settings = new ArrayList<>();
        try (Lines lines = new Lines(source)) {
            for (Line line = lines.next(); line != null; line = lines.next()) {
                String text = line.text().replaceFirst("#.*", "");
                if (!text.isBlank()) {
                    settings.add(setting("%s:%d:1".formatted(line.file(), line.number()), text, ':'));
                }
            }
        }
        return of(settings, machine);
    }

    private static Setting setting(String place, String text, char separator) {
        int at = text.indexOf(separator);
        if (at < 0) {
            throw new MalformedWorkload(
                    place, "'%s' is not valid: expected KEY%sVALUE".formatted(text.strip(), separator));
        }
        return new Setting(
                place, text.substring(0, at).strip(), text.substring(at + 1).strip());
    }

    private static LublinSettings of(List<Setting> settings, OptionalInt machine) {
        SettingsBuilder builder = new SettingsBuilder();
        settings.forEach(builder::set);
        return builder.settings(machine);
    }

    private static final class SettingsBuilder {
        private final List<String> seen = new ArrayList<>();
        private int machine = LublinClass.PUBLISHED_MACHINE;
        private int jobs = USUAL_JOBS;
        private long seed = 1;
        private boolean typed = true;
        private double load = 1;
        private long longestEstimate;

        void set(Setting setting) {
            if (seen.contains(setting.key)) {
                throw setting.malformed("the key appears twice");
            }
            seen.add(setting.key);
            switch (setting.key) {
                case "machine" -> machine = setting.read(text -> number(text, LublinParameters.LARGEST_MACHINE));
                case "jobs" -> jobs = setting.read(text -> number(text, Integer.MAX_VALUE));
                case "seed" -> seed = setting.read(Long::parseLong);
                case "classes" -> typed = setting.read(SettingsBuilder::typed);
                case "load" ->
                    load = setting.read(text -> Performance.parse(text).millionths()) / MILLION;
                case "estimates" -> longestEstimate = setting.read(SettingsBuilder::estimates);
                default -> throw setting.malformed("the key is not known: expected " + String.join(", ", KEYS));
            }
        }

        private static final List<String> KEYS = List.of("machine", "jobs", "seed", "classes", "load", "estimates");

        LublinSettings settings(OptionalInt stated) {
            return new LublinSettings(
                    new LublinParameters(stated.orElse(machine), jobs, seed, typed, load), longestEstimate);
        }

        private static int number(String text, int most) {
            int number = Integer.parseInt(PlainDigits.of(text));
            if (number < 1 || number > most) {
                throw new IllegalArgumentException("expected between 1 and " + most);
            }
            return number;
        }

        private static boolean typed(String text) {
            return switch (text) {
                case "both" -> true;
                case "none" -> false;
                default -> throw new IllegalArgumentException("expected both (interactive and batch) or none");
            };
        }

        private static long estimates(String text) {
            if (text.equals("exact")) {
                return 0;
            }
            long longest;
            try {
                longest = Durations.parsePositive(text);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("expected exact, or the longest estimate such as 36h", e);
            }
            if (longest < TsafrirEstimates.SHORTEST_MAXIMUM) {
                throw new IllegalArgumentException(
                        "expected exact, or at least " + Durations.brief(TsafrirEstimates.SHORTEST_MAXIMUM));
            }
            return longest;
        }
    }
}
