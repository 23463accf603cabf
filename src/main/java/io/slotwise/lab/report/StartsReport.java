package io.slotwise.lab.report;

import io.slotwise.lab.simulation.JobRun;
import io.slotwise.lab.simulation.SimulationObserver;
import io.slotwise.lab.workload.Job;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;

/**
 * Writes {@code job_id,submit,start,end}, one row for each job in the workload's order. A job that never starts or ends
 * has empty fields. A row is written as soon as all earlier ones are, so that only rows after the oldest unfinished job
 * are in memory.
 */
public final class StartsReport implements SimulationObserver, AutoCloseable {
    private static final CSVFormat FORMAT = CSVFormat.RFC4180
            .builder()
            .setHeader("job_id", "submit", "start", "end")
            .setRecordSeparator('\n')
            .get();

    private final CSVPrinter csv;
    private final Deque<Row> rows = new ArrayDeque<>();
    private final Map<String, Row> open = new HashMap<>();

    private static final class Row {
        private final Job job;
        private OptionalLong start = OptionalLong.empty();
        private OptionalLong end = OptionalLong.empty();
        private boolean settled;

        Row(Job job) {
            this.job = job;
        }
    }

    public StartsReport(Appendable text) {
        try {
            this.csv = new CSVPrinter(text, FORMAT);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void submitted(Job job) {
        Row row = new Row(job);
        rows.add(row);
        open.put(job.id(), row);
    }

    @Override
    public void refused(Job job) {
        Row row = new Row(job);
        row.settled = true;
        rows.add(row);
        writeSettled();
    }

    @Override
    public void started(JobRun run) {
        Row row = open.get(run.job().id());
        if (row != null) {
            row.start = OptionalLong.of(run.start());
        }
    }

    @Override
    public void interrupted(JobRun run, Why why) {
        Row row = open.get(run.job().id());
        if (row != null) {
            row.start = OptionalLong.empty();
        }
    }

    @Override
    public void ended(JobRun run) {
        Row row = open.remove(run.job().id());
        if (row != null) {
            row.end = OptionalLong.of(run.end());
            row.settled = true;
            writeSettled();
        }
    }

    private void writeSettled() {
        for (Row row = rows.peek(); row != null && row.settled; row = rows.peek()) {
            write(rows.remove());
        }
    }

    private void write(Row row) {
        try {
            csv.printRecord(row.job.id(), row.job.submit(), field(row.start), field(row.end));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String field(OptionalLong second) {
        return second.isPresent() ? Long.toString(second.getAsLong()) : "";
    }

    /** Also writes the rows of the jobs that have not ended. */
    @Override
    public void close() throws IOException {
        rows.forEach(this::write);
        csv.close(true);
    }
}
