package io.slotwise.kubernetes.access;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * A cache of answers with an expiry. The same question is asked only once at a time, and all waiting callers share the
 * answer or the failure. A bounded number of answers is kept by Caffeine; failures are not kept. Caffeine's own loading
 * is not used, because it does not limit a caller's wait. Thread-safe.
 *
 * @param <K> a question
 * @param <V> its answer
 */
final class Questions<K, V> {
    private final Cache<K, V> answers;
    private final Map<K, CompletableFuture<V>> open = new ConcurrentHashMap<>();
    private final Duration patience;

    /**
     * @param most the most answers
     * @param patience the longest wait for an answer that another caller requests
     * @param holds returns the time for which an answer is valid, not negative
     * @param nanos a monotonic clock, nanoseconds
     */
    Questions(int most, Duration patience, BiFunction<K, V, Duration> holds, LongSupplier nanos) {
        this.patience = patience;
        this.answers = Caffeine.newBuilder()
                .maximumSize(most)
                .ticker(nanos::getAsLong)
                .executor(Runnable::run)
                .expireAfter(Expiry.writing(holds))
                .build();
    }

    /**
     * Returns the known answer, or a new one.
     *
     * @param question requests the answer; throws {@link ReviewFailed} if there is none
     * @throws ReviewFailed if there is none, or not in time
     */
    V ask(K key, Supplier<V> question) {
        V known = answers.getIfPresent(key);
        if (known != null) {
            return known;
        }
        CompletableFuture<V> own = new CompletableFuture<>();
        CompletableFuture<V> other = open.putIfAbsent(key, own);
        return other == null ? answer(key, question, own) : await(other);
    }

    boolean isKnown(K key) {
        return answers.getIfPresent(key) != null;
    }

    private V answer(K key, Supplier<V> question, CompletableFuture<V> own) {
        try {
            V answer = answers.getIfPresent(key);
            if (answer == null) {
                answer = question.get();
                answers.put(key, answer);
            }
            own.complete(answer);
            return answer;
        } catch (RuntimeException | Error e) {
            own.completeExceptionally(e);
            throw e;
        } finally {
            open.remove(key, own);
        }
    }

    private V await(CompletableFuture<V> answer) {
        try {
            return answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw ReviewFailed.slow();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ReviewFailed.interrupted();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ReviewFailed failed) {
                throw new ReviewFailed(String.valueOf(failed.getMessage()));
            }
            throw new IllegalStateException("A question must have an answer.", e.getCause());
        }
    }

    /** Returns approximately how many callers wait for another caller's answer to this question. */
    int waiting(K key) {
        CompletableFuture<V> asked = open.get(key);
        return asked == null ? 0 : asked.getNumberOfDependents();
    }

    long size() {
        answers.cleanUp();
        return answers.estimatedSize();
    }
}
