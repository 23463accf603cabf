package io.slotwise.web.board;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.slotwise.web.FakeCluster;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
@TestProfile(FakeCluster.Profile.class)
class BoardRoutesTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @TestHTTPResource("/")
    private URI root = URI.create("http://127.0.0.1");

    @Test
    void aReplicaThatHasNotReadTheClusterSaysSo() throws Exception {
        JsonNode board = JSON.readTree(text("/api/v1/board").body());

        assertThat(board.path("ready").asBoolean()).isFalse();
        assertThat(board.path("planning").asBoolean()).isFalse();
        assertThat(board.path("nodes").isArray()).isTrue();
        assertThat(board.path("batch").path("objective").asText()).isEqualTo("user");
        assertThat(board.path("speed").asInt()).isEqualTo(1);
    }

    @Test
    void theDocumentIsCompressedOnRequest() throws Exception {
        HttpResponse<byte[]> answer = CLIENT.send(
                request("/api/v1/board").header("Accept-Encoding", "gzip").build(), BodyHandlers.ofByteArray());

        assertThat(answer.headers().firstValue("Content-Encoding")).hasValue("gzip");
        try (InputStream plain = new GZIPInputStream(new ByteArrayInputStream(answer.body()))) {
            assertThat(JSON.readTree(plain).path("version").asText()).isNotEmpty();
        }
    }

    @Test
    void theEventsBeginWithTheTimeAndTheVersion() throws Exception {
        HttpResponse<InputStream> answer =
                CLIENT.send(request("/api/v1/board/events").build(), BodyHandlers.ofInputStream());

        try (BufferedReader lines = new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
            assertThat(answer.headers().firstValue("Content-Type")).hasValue("text/event-stream");
            assertThat(lines.readLine()).isEqualTo("event: beat");
            assertThat(JSON.readTree(lines.readLine().substring("data: ".length()))
                            .path("now")
                            .asLong())
                    .isPositive();
            assertThat(lines.readLine()).isEmpty();
            assertThat(lines.readLine()).isEqualTo("event: state");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/board/main.js", "/api/v1/board", "/api/v1/plan", "/nothing"})
    void everyAnswerToABrowserSaysWhatAPageMayDo(String path) throws Exception {
        HttpResponse<String> answer = text(path);

        assertThat(answer.headers().firstValue("Content-Security-Policy").orElse(""))
                .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
                .doesNotContain("unsafe");
        assertThat(answer.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
        assertThat(answer.headers().firstValue("Referrer-Policy")).hasValue("no-referrer");
        assertThat(answer.headers().firstValue("Cache-Control").orElse("")).matches("no-cache|no-store");
    }

    @Test
    void thePageHasNoScriptAndNoStyleOfItsOwnText() throws Exception {
        String page = text("/").body();

        assertThat(page).contains("<title>Slotwise</title>").doesNotContain("<style", "style=", "onclick=");
        assertThat(page.split("<script", -1)).hasSize(2);
        assertThat(page)
                .contains("<script type=\"module\" src=\"board/main.js\"></script>")
                .doesNotContain("http://");
    }

    private HttpResponse<String> text(String path) throws IOException, InterruptedException {
        return CLIENT.send(request(path).build(), BodyHandlers.ofString());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(root.resolve(path));
    }
}
