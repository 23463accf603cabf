package io.slotwise.lab.workload.swf;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.Predecessors;
import io.slotwise.core.text.SafeText;
import io.slotwise.lab.workload.Job;
import io.slotwise.lab.workload.JobTerms;
import io.slotwise.lab.workload.Omission;
import io.slotwise.lab.workload.Processor;
import io.slotwise.lab.workload.UserName;
import io.slotwise.lab.workload.log.JobParser;
import io.slotwise.lab.workload.log.Lines.Line;
import io.slotwise.lab.workload.log.LogRow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.StringTokenizer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the standard workload format: 18 columns a job, and headings that begin with a semicolon.
 *
 * <p>A job's tasks are processors, its runtime is in seconds. The usual rules apply:
 * <ul>
 * <li>The processors are the requested ones, else the allocated ones. The estimate is the requested time, else the
 * runtime. A job that runs longer is cut at its estimate.
 * <li>Jobs without a runtime or processors, wider than the machine, or submitted before second 0 are left out.
 * <li>A swapped-out job has a line for the whole. The lines of status 2, 3 or 4 for its parts are left out.
 * <li>The machine is {@code MaxProcs} of the headings, else {@code MaxNodes}, unless the caller names another. A
 * heading that is not a size is ignored.
 * <li>Jobs keep their numbers. On request a job waits for the end of the one that precedes it, without the think time
 * between them.
 * <li>Users are called {@code user-12} and groups {@code group-3}. Queues and applications have their
 * numbers as names. Other columns are ignored.
 * </ul>
 *
 * <p>O(length) a line.
 *
 * <p>Source: S. J. Chapin, W. Cirne, D. G. Feitelson and others, "Benchmarks and Standards for the Evaluation of
 * Parallel Job Schedulers" (1999); the Parallel Workloads Archive's definition, version 2.2.
 */
public final class SwfReader implements JobParser {
    /** Before the number of a group in its name. */
    static final String GROUP_PREFIX = "group-";

    static final int COLUMNS = 18;

    private static final int ID = 1;
    private static final int SUBMIT = 2;
    private static final int RUNTIME = 4;
    private static final int ALLOCATED = 5;
    private static final int REQUESTED = 8;
    private static final int REQUESTED_TIME = 9;
    private static final int STATUS = 11;
    private static final int USER = 12;
    private static final int GROUP = 13;
    private static final int APPLICATION = 14;
    private static final int QUEUE = 15;
    private static final int PRECEDING = 17;

    private static final Pattern PROCESSORS = Pattern.compile(";\\s*(MaxProcs|MaxNodes)\\s*:\\s*(\\S*).*");
    private static final int LONGEST_SIZE = 9;
    private static final String UNKNOWN = "-1";

    private final OptionalInt machine;
    private final boolean preceding;
    /** The users of jobs that may precede others, by job number. */
    private final Map<String, String> users = new HashMap<>();

    private OptionalInt maxProcs = OptionalInt.empty();
    private OptionalInt maxNodes = OptionalInt.empty();
    private final List<String> remarks = new ArrayList<>();
    private boolean headed;

    /** Creates a reader. The headings name the machine if it is empty; jobs wait for others if {@code preceding}. */
    public SwfReader(OptionalInt machine, boolean preceding) {
        this.machine = machine;
        this.preceding = preceding;
    }

    @Override
    public OptionalInt processors() {
        if (machine.isPresent()) {
            return machine;
        }
        return maxProcs.isPresent() ? maxProcs : maxNodes;
    }

    @Override
    public List<String> remarks() {
        return remarks;
    }

    @Override
    public Entry parse(Line line) {
        if (line.text().stripLeading().startsWith(";")) {
            heading(line);
            return Entry.Heading.LINE;
        }
        headed = true;
        return job(new LogRow(line, columns(line)));
    }

    public static List<String> columns(Line line) {
        List<String> columns = new ArrayList<>(COLUMNS);
        StringTokenizer tokens = new StringTokenizer(line.text());
        while (tokens.hasMoreTokens()) {
            columns.add(tokens.nextToken());
        }
        return columns;
    }

    /** Headings come before the first job; later lines with a semicolon are remarks. */
    private void heading(Line line) {
        Matcher matcher = PROCESSORS.matcher(line.text().strip());
        if (headed || !matcher.matches()) {
            return;
        }
        String size = matcher.group(2);
        if (size.equals(UNKNOWN)) {
            return;
        }
        if (!size.matches("\\d{1," + LONGEST_SIZE + "}") || Integer.parseInt(size) == 0) {
            if (machine.isEmpty()) {
                remarks.add("%s (%s) of line %d is not read: expected a positive whole number, or --machine N"
                        .formatted(matcher.group(1), SafeText.value(size), line.number()));
            }
            return;
        }
        OptionalInt number = OptionalInt.of(Integer.parseInt(size));
        if (matcher.group(1).equals("MaxProcs")) {
            maxProcs = number;
        } else {
            maxNodes = number;
        }
    }

    private Entry job(LogRow row) {
        if (row.values().size() < COLUMNS) {
            throw row.line()
                    .malformed(
                            row.values().size() + 1,
                            "the line has %d columns: expected %d"
                                    .formatted(row.values().size(), COLUMNS));
        }
        row.whole(ID, "the job number");
        if (JobParser.isPart(row.whole(STATUS, "the status"))) {
            return new Entry.LeftOut(Omission.PART);
        }
        long submit = row.whole(SUBMIT, "the submit time");
        long runtime = row.whole(RUNTIME, "the run time");
        int allocated = row.count(ALLOCATED, "the number of allocated processors");
        int requested = row.count(REQUESTED, "the number of requested processors");
        long requestedTime = row.whole(REQUESTED_TIME, "the requested time");
        long user = row.whole(USER, "the user");

        int processors = requested > 0 ? requested : allocated;
        Entry entry = JobParser.leftOut(runtime, processors, processors(), submit);
        if (entry != null) {
            return entry;
        }
        long estimate = requestedTime > 0 ? requestedTime : runtime;
        List<Job.Part> parts = List.of(new Job.Part(processors, Processor.request(estimate)));
        JobTerms terms = preceding ? after(row, terms(row)) : terms(row);
        if (preceding) {
            users.put(row.values().getFirst(), UserName.of(user));
        }
        return JobParser.told(new Job(row.values().getFirst(), submit, parts, runtime, UserName.of(user), terms));
    }

    /** A predecessor that was left out, or comes later in the log, delays no job. */
    private JobTerms after(LogRow row, JobTerms terms) {
        long number = row.whole(PRECEDING, "the preceding job");
        String owner = users.get(String.valueOf(number));
        return owner == null
                ? terms
                : terms.after(new Predecessors(List.of(new GangId(owner, String.valueOf(number))), 0, Map.of()));
    }

    private static JobTerms terms(LogRow row) {
        return JobTerms.NONE
                .withQueue(number(row.whole(QUEUE, "the queue")))
                .withApplication(number(row.whole(APPLICATION, "the application")))
                .withGroup(group(row.whole(GROUP, "the group")));
    }

    private static String group(long known) {
        return known < 0 ? "" : GROUP_PREFIX + known;
    }

    private static String number(long known) {
        return known < 0 ? "" : String.valueOf(known);
    }
}
