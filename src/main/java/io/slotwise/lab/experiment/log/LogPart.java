package io.slotwise.lab.experiment.log;

import io.slotwise.lab.workload.Job;
import io.slotwise.lab.workload.LogFolder;
import java.util.List;

/**
 * The first jobs of a log, cut in two by time: what comes first is for training, the rest is held out.
 *
 * @param log of which
 * @param training how many jobs are for training
 * @param heldOut how many after them are held out, at most
 */
record LogPart(ReplayedLog log, int training, int heldOut) {
    /** The jobs of both halves. */
    enum Half {
        TRAINING("training"),
        HELD_OUT("held out");

        private final String words;

        Half(String words) {
            this.words = words;
        }

        /** For people. */
        String words() {
            return words;
        }
    }

    /** The jobs of a half, from an idle machine on. */
    List<Job> jobs(LogFolder folder, Half half) {
        List<Job> all = log.jobs(folder);
        int first = Math.min(training, all.size());
        return switch (half) {
            case TRAINING -> all.subList(0, first);
            case HELD_OUT -> all.subList(first, Math.min(Math.addExact(first, heldOut), all.size()));
        };
    }

    /** What is observed on a half. */
    String of(Half half) {
        return "%s, %s".formatted(log.name(), half.words);
    }
}
