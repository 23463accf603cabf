package io.slotwise.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.slotwise.core.gang.NodeConstraint;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.resource.Resources;
import io.slotwise.lab.workload.Job;
import io.slotwise.lab.workload.Workload;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/** Logs with the start of every job under the classic disciplines, as an established simulator computes them. */
public final class OracleStarts {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private OracleStarts() {}

    /**
     * A log with its starts.
     *
     * @param processors of the machine
     * @param jobs by submission
     * @param starts the starts of the jobs in their order, by column
     */
    public record Case(String name, int processors, List<Job> jobs, Map<String, List<Long>> starts) {
        /** Returns the starts under this policy, in the batched convention. */
        public List<Long> starts(String policy) {
            String batched = "batched_start_" + policy;
            return Objects.requireNonNull(starts.getOrDefault(batched, starts.get("start_" + policy)), policy);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    public static Job job(String id, long submit, int processors, long runtime, long estimate, String user) {
        Resources one = Resources.of(Map.of(Resources.CPU, 1000L, Resources.PODS, 1L));
        PodRequest request = new PodRequest(one, NodeConstraint.NONE, estimate, false);
        return Jobs.of(id, submit, processors, request, runtime, user);
    }

    /** Reads {@code job_id,submit,procs,runtime,estimate,user,start_...} under a line with the number of processors. */
    public static Case log(Path file) throws IOException {
        try (BufferedReader reader = new BufferedReader(
                new InputStreamReader(new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
            String machine = reader.readLine();
            int processors =
                    Integer.parseInt(machine.substring(machine.indexOf('=') + 1).strip());
            List<String> columns = Arrays.asList(reader.readLine().split(",", -1));
            List<Job> jobs = new ArrayList<>();
            Map<String, List<Long>> starts = new HashMap<>();
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                String[] cells = line.split(",", -1);
                jobs.add(job(
                        cells[0],
                        Long.parseLong(cells[1]),
                        Integer.parseInt(cells[2]),
                        Long.parseLong(cells[3]),
                        Long.parseLong(cells[4]),
                        cells[5]));
                for (int i = 6; i < cells.length; i++) {
                    starts.computeIfAbsent(columns.get(i), _ -> new ArrayList<>())
                            .add(Long.parseLong(cells[i]));
                }
            }
            return new Case(String.valueOf(file.getFileName()), processors, jobs, starts);
        }
    }

    /** Reads small cases with many equal times, one a line. */
    public static List<Case> micro(Path file) throws IOException {
        List<Case> cases = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            JsonNode json = MAPPER.readTree(line);
            List<Job> jobs = new ArrayList<>();
            for (JsonNode job : json.get("jobs_id_submit_runtime_procs_estimate")) {
                jobs.add(job(
                        job.get(0).asText(),
                        job.get(1).asLong(),
                        job.get(3).asInt(),
                        job.get(2).asLong(),
                        job.get(4).asLong(),
                        "user"));
            }
            Map<String, List<Long>> starts = new HashMap<>();
            json.get("starts_batched").properties().forEach(entry -> {
                List<Long> column = new ArrayList<>();
                entry.getValue().forEach(start -> column.add(start.asLong()));
                starts.put("batched_start_" + entry.getKey(), column);
            });
            cases.add(new Case("micro case " + json.get("id"), json.get("procs").asInt(), jobs, starts));
        }
        return cases;
    }

    /** Returns a workload of these jobs, for a machine of any size. */
    public static Workload workload(List<Job> jobs) {
        return new Workload() {
            @Override
            public String name() {
                return "test";
            }

            @Override
            public OptionalInt processors() {
                return OptionalInt.empty();
            }

            @Override
            public Stream<Job> jobs() {
                return jobs.stream();
            }
        };
    }
}
