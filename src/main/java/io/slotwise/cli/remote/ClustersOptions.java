package io.slotwise.cli.remote;

import io.slotwise.cli.console.CommonOptions;
import io.slotwise.config.InvalidInput;
import io.slotwise.core.time.Durations;
import io.slotwise.kubernetes.kubectl.ClusterAccess;
import io.slotwise.kubernetes.kubectl.KubeconfigClient;
import io.slotwise.kubernetes.kubectl.Unreachable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
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
                        "With --clusters: leave out a cluster that does not answer in this time. Default: "
                                + USUAL_TIMEOUT + "."));
    }

    public boolean areGiven() {
        return has(CLUSTERS);
    }

    /** A question for one cluster. */
    @FunctionalInterface
    public interface Question<T> {
        /** Throws IOException if the answer cannot be read. */
        T ask(Remote remote) throws IOException;
    }

    /**
     * Asks all clusters at the same time, each with the token of its context.
     *
     * @param kubeconfig null for kubectl's
     * @param failed makes an answer of the reason why a cluster gives none, in words without a full stop
     * @return the answers in the order of the option
     */
    public <T> SequencedMap<String, T> ask(
            @Nullable Path kubeconfig, Question<T> question, Function<String, T> failed) {
        List<String> contexts = contexts(kubeconfig);
        long seconds = seconds();
        List<Callable<T>> calls = contexts.stream()
                .map(context -> (Callable<T>) () -> answer(context, kubeconfig, question, failed))
                .toList();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        try {
            List<Future<T>> answers = threads.invokeAll(calls, seconds, TimeUnit.SECONDS);
            SequencedMap<String, T> byContext = new LinkedHashMap<>();
            for (int i = 0; i < contexts.size(); i++) {
                byContext.put(contexts.get(i), result(answers.get(i), seconds, failed));
            }
            return byContext;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Unreachable("the command was interrupted");
        } finally {
            // A call that is late has been interrupted, and ends on its own.
            threads.shutdown();
        }
    }

    private static <T> T result(Future<T> answer, long seconds, Function<String, T> failed)
            throws InterruptedException {
        try {
            return answer.get();
        } catch (CancellationException e) {
            return failed.apply("it did not answer within %s".formatted(Durations.brief(seconds)));
        } catch (ExecutionException e) {
            throw new IllegalStateException("The question to a cluster must not fail.", e.getCause());
        }
    }

    private static <T> T answer(
            String context, @Nullable Path kubeconfig, Question<T> question, Function<String, T> failed) {
        try (Remote remote = new RemoteOptions.KubeconfigRemote(ClusterAccess.open(context, kubeconfig), null)) {
            return question.ask(remote);
        } catch (InvalidInput e) {
            return failed.apply("it rejects the question: " + e.getMessage());
        } catch (Unreachable e) {
            return failed.apply(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            return failed.apply("the server that answered is not Slotwise: " + e.getMessage());
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
