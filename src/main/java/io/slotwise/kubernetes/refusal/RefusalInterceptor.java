package io.slotwise.kubernetes.refusal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Passes each call of a client through {@link RefusedCalls}. A recently refused call fails again without being sent,
 * and the answers to other calls are recorded.
 */
public final class RefusalInterceptor implements Interceptor {
    public static final String NAME = "slotwise-refusals";

    /** The most bytes of an answer that are read for its message. */
    private static final int LONGEST = 16_384;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final RefusedCalls refused;

    public RefusalInterceptor(RefusedCalls refused) {
        this.refused = refused;
    }

    /** A consumer that keeps the beginning of a refusal. */
    private static final class Answer implements AsyncBody.Consumer<List<ByteBuffer>> {
        private final AsyncBody.Consumer<List<ByteBuffer>> next;
        private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
        private volatile boolean keeps;

        Answer(AsyncBody.Consumer<List<ByteBuffer>> next) {
            this.next = next;
        }

        @Override
        public void consume(List<ByteBuffer> parts, AsyncBody body) throws Exception {
            if (keeps) {
                for (ByteBuffer part : parts) {
                    byte[] bytes = new byte[Math.min(part.remaining(), LONGEST - kept.size())];
                    part.duplicate().get(bytes);
                    kept.writeBytes(bytes);
                }
            }
            next.consume(parts, body);
        }

        @Override
        public <U> @Nullable U unwrap(Class<U> target) {
            return target.isInstance(this) ? target.cast(this) : next.unwrap(target);
        }

        String message(int code) {
            String text = kept.toString(StandardCharsets.UTF_8);
            try {
                String message = JSON.readTree(text).path("message").asText("");
                return message.isEmpty() ? "the API server answered " + code : message;
            } catch (JsonProcessingException e) {
                return text.isEmpty() ? "the API server answered " + code : text;
            }
        }
    }

    @Override
    public AsyncBody.Consumer<List<ByteBuffer>> consumer(
            AsyncBody.Consumer<List<ByteBuffer>> consumer, HttpRequest request) {
        return new Answer(consumer);
    }

    @Override
    public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
        ApiCall call = call(request);
        if (call != null) {
            ApiRefusal refusal = refused.begin(call, created(call, request));
            if (refusal != null) {
                throw refusal.again();
            }
        }
    }

    @Override
    public void after(HttpRequest request, HttpResponse<?> response, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
        ApiCall call = call(request);
        if (call == null) {
            return;
        }
        int code = response.code();
        Supplier<String> name = created(call, request);
        Answer answer = consumer == null ? null : consumer.unwrap(Answer.class);
        if (response.isSuccessful()) {
            refused.granted(call, name);
        } else if (ApiRefusal.isRefusal(call, code) && answer != null && response.body() instanceof AsyncBody body) {
            answer.keeps = true;
            ApiCall apiCall = call.name().isEmpty() ? call.of(name.get()) : call;
            var _ = body.done()
                    .whenComplete((done, error) -> note(new ApiRefusal(apiCall, code, answer.message(code))));
        } else {
            refused.unanswered(call);
        }
    }

    private void note(ApiRefusal refusal) {
        if (refusal.isPassing()) {
            refused.unanswered(refusal.call());
        } else {
            refused.refused(refusal);
        }
    }

    @Override
    public void afterConnectionFailure(HttpRequest request, Throwable failure) {
        ApiCall call = call(request);
        if (call != null) {
            refused.unanswered(call);
        }
    }

    private static @Nullable ApiCall call(HttpRequest request) {
        return ApiCall.of(request.method(), request.uri().getPath());
    }

    /** Returns the name of a created object, which its path lacks. */
    private static Supplier<String> created(ApiCall call, HttpRequest request) {
        return () -> {
            String body = call.isRead() || !call.name().isEmpty() ? null : request.bodyString();
            if (body == null || body.isEmpty()) {
                return "";
            }
            try {
                return JSON.readTree(body).path("metadata").path("name").asText("");
            } catch (JsonProcessingException e) {
                return "";
            }
        };
    }
}
