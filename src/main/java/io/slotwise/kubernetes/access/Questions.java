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
 * Questions whose answers hold for a while. The same question is asked once at a time, and all who wait for it get its
 * answer, or that there is none. A bounded number of answers is kept, by Caffeine; that there is none is not kept.
 * Caffeine's own loading is not used: it does not let a caller wait for a limited time. Safe for threads.
 *
 * @param <K> a question
 * @param <V> its answer
 */
final class Questions<K, V> {
    private final Cache<K, V> answers;
    private final Map<K, CompletableFuture<V>> open = new ConcurrentHashMap<>();
    private final Duration patience;

    /**
     * @param most how many answers at once
     * @param patience how long a caller waits for an answer that another caller asks for
     * @param holds how long an answer counts, not negative
     * @param nanos a clock that never goes back
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
     * The answer that is known, or a new one.
     *
     * @param question asks; throws {@link ReviewFailed} where there is none
     * @throws ReviewFailed if there is none, or not soon
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

    /** About how many callers wait for the answer that another caller gets to this question. */
    int waiting(K key) {
        CompletableFuture<V> asked = open.get(key);
        return asked == null ? 0 : asked.getNumberOfDependents();
    }

    long size() {
        answers.cleanUp();
        return answers.estimatedSize();
    }
}
