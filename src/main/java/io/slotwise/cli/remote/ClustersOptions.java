package io.slotwise.cli.remote;

import io.slotwise.cli.console.CommonOptions;
import io.slotwise.config.InvalidInput;
import io.slotwise.core.time.Durations;
import io.slotwise.kubernetes.kubectl.ClusterAccess;
import io.slotwise.kubernetes.kubectl.KubeconfigClient;
import io.slotwise.kubernetes.kubectl.Unreachable;
import io.slotwise.report.clusters.ClusterQuotes;
import io.slotwise.report.clusters.ClusterQuotes.Answer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** The options of commands that ask the Slotwise of several clusters, and the calls. */
public final class ClustersOptions extends CommonOptions {
    public static final String CLUSTERS = "--clusters";
    private static final String TIMEOUT = "--timeout";
    private static final String USUAL_TIMEOUT = "10s";

    public ClustersOptions(CommandSpec spec) {
        super(spec);
        spec.addOption(list(
                                CLUSTERS,
                                "CONTEXT,...",
                                "Ask the Slotwise of each of these contexts of the kubeconfig, and compare.")
                        .splitRegex(",")
                        .build())
                .addOption(text(
                        TIMEOUT,
                        "DURATION",
                        "With --clusters: leave out a cluster from the gang on for which it does not answer in this "
                                + "time. Default: "
                                + USUAL_TIMEOUT + "."));
    }

    public boolean areGiven() {
        return has(CLUSTERS);
    }

    /** Throws if one of these options is given, which are about a single cluster. */
    public void excludes(List<String> options) {
        options.stream().filter(this::has).findFirst().ifPresent(option -> {
            throw wrong("%s is about a single cluster; expected it without %s".formatted(option, CLUSTERS));
        });
    }

    /**
     * Returns the quotes for gangs, each quoted alone. All clusters are asked at the same time, each with the token of
     * its context.
     *
     * @param kubeconfig null for kubectl's
     * @param gangs the description of each gang
     */
    public List<ClusterQuotes> quotes(@Nullable Path kubeconfig, List<Map<String, String>> gangs) {
        SequencedMap<String, List<Answer>> answers = ask(kubeconfig, gangs);
        List<ClusterQuotes> quotes = new ArrayList<>();
        for (int i = 0; i < gangs.size(); i++) {
            SequencedMap<String, Answer> ofGang = new LinkedHashMap<>();
            int index = i;
            answers.forEach((cluster, ofCluster) -> ofGang.put(cluster, ofCluster.get(index)));
            quotes.add(ClusterQuotes.of(ofGang));
        }
        return quotes;
    }

    private SequencedMap<String, List<Answer>> ask(@Nullable Path kubeconfig, List<Map<String, String>> gangs) {
        List<String> contexts = contexts(kubeconfig);
        long seconds = seconds();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        List<Callable<List<Answer>>> calls = contexts.stream()
                .map(context -> (Callable<List<Answer>>) () -> {
                    BlockingQueue<Answer> answers = new LinkedBlockingQueue<>();
                    Future<?> asking = threads.submit(() -> ask(context, kubeconfig, gangs, seconds, answers));
                    return inTime(answers, gangs.size(), seconds, asking);
                })
                .toList();
        try {
            List<Future<List<Answer>>> answers = threads.invokeAll(calls);
            SequencedMap<String, List<Answer>> byContext = new LinkedHashMap<>();
            for (int i = 0; i < contexts.size(); i++) {
                byContext.put(contexts.get(i), answers.get(i).get());
            }
            return byContext;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Unreachable("the command was interrupted");
        } catch (ExecutionException e) {
            throw new IllegalStateException("The wait for a cluster must not fail.", e.getCause());
        } finally {
            // A question that is late has been interrupted, and ends on its own.
            threads.shutdown();
        }
    }

    /** Returns the answers, each after at most these seconds. From the first one that is late, all are missing. */
    private static List<Answer> inTime(BlockingQueue<Answer> answers, int gangs, long seconds, Future<?> asking)
            throws InterruptedException {
        List<Answer> inTime = new ArrayList<>();
        while (inTime.size() < gangs) {
            Answer answer = answers.poll(seconds, TimeUnit.SECONDS);
            if (answer == null) {
                asking.cancel(true);
                answer = new Answer.Failed("it did not answer within " + Durations.brief(seconds));
                inTime.addAll(Collections.nCopies(gangs - inTime.size(), answer));
            } else {
                inTime.add(answer);
            }
        }
        return inTime;
    }

    /** Asks a cluster about each gang. A failure, which may come after some answers, is the answer for the others. */
    private static void ask(
            String context,
            @Nullable Path kubeconfig,
            List<Map<String, String>> gangs,
            long seconds,
            Collection<Answer> answers) {
        String cause;
        try (Remote remote =
                new RemoteOptions.KubeconfigRemote(ClusterAccess.open(context, kubeconfig, seconds), null)) {
            for (Map<String, String> gang : gangs) {
                answers.add(answer(remote, gang, seconds));
            }
            return;
        } catch (Unreachable e) {
            cause = String.valueOf(e.getMessage());
        } catch (IOException e) {
            cause = "the server that answered is not Slotwise: " + e.getMessage();
        } catch (RuntimeException e) {
            cause = "it cannot be asked: " + Unreachable.words(e);
        }
        answers.addAll(Collections.nCopies(gangs.size(), new Answer.Failed(cause)));
    }

    private static Answer answer(Remote remote, Map<String, String> gang, long seconds) throws IOException {
        try {
            return new Answer.Quoted(RemoteOptions.quote(remote, gang, Duration.ofSeconds(seconds)));
        } catch (InvalidInput e) {
            return new Answer.Failed("it rejects the question: " + e.getMessage());
        } catch (Unreachable.Denied e) {
            return new Answer.Failed(String.valueOf(e.getMessage()));
        }
    }

    private List<String> contexts(@Nullable Path kubeconfig) {
        List<?> given = Objects.requireNonNullElse(given(CLUSTERS, List.class), List.of());
        List<String> contexts = given.stream().map(String::valueOf).toList();
        Set<String> seen = new HashSet<>();
        for (String context : contexts) {
            if (!seen.add(context)) {
                throw wrong("%s (%s) names a context twice; expected each once".formatted(CLUSTERS, context));
            }
        }
        try {
            KubeconfigClient.require(contexts, kubeconfig);
        } catch (IllegalArgumentException e) {
            throw new InvalidInput(String.valueOf(e.getMessage()));
        }
        return contexts;
    }

    private long seconds() {
        String text = given(TIMEOUT, String.class, USUAL_TIMEOUT);
        try {
            return Durations.parsePositive(text);
        } catch (IllegalArgumentException e) {
            throw wrong("%s (%s): %s".formatted(TIMEOUT, text, e.getMessage()));
        }
    }
}
