package io.slotwise.web.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slotwise.kubernetes.access.CallerReview;
import io.slotwise.live.cycle.Replica;
import jakarta.enterprise.inject.Instance;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Callers wait for an API server that answers late, and answers none of them. */
class AuthenticatorTest {
    private static final int MOST = 1024;

    private final Semaphore asked = new Semaphore(0);
    private final CountDownLatch answers = new CountDownLatch(1);
    private final Authenticator authenticator =
            new Authenticator(late(), unused(Replica.class), "none", "none", Optional.empty());

    @Test
    @Timeout(60)
    void ofMoreCallersThanMayWaitTheLastIsSentAwayUntilOthersHaveTheirAnswers() throws InterruptedException {
        List<Future<CallerAccess>> callers = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < MOST; i++) {
                callers.add(threads.submit(this::call));
            }
            asked.acquire(MOST);

            assertThatThrownBy(this::call)
                    .isInstanceOf(AccessDenied.class)
                    .hasMessageContaining("too many requests wait");

            answers.countDown();
        }
        assertThat(callers).allMatch(caller -> caller.state() == Future.State.FAILED);
        assertThatThrownBy(this::call).isInstanceOf(IllegalStateException.class);
    }

    private CallerAccess call() {
        return authenticator.access(new Credentials("token", false));
    }

    /** Hands out no review, and that late. */
    @SuppressWarnings("unchecked")
    private Instance<CallerReview> late() {
        return (Instance<CallerReview>)
                Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {Instance.class}, (_, _, _) -> {
                    asked.release();
                    answers.await();
                    throw new IllegalStateException("no answer");
                });
    }

    private static <T> T unused(Class<T> port) {
        return port.cast(Proxy.newProxyInstance(port.getClassLoader(), new Class<?>[] {port}, (_, method, _) -> {
            throw new UnsupportedOperationException(method.getName());
        }));
    }
}
