package io.slotwise.it.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.deque.html.axecore.results.Rule;
import com.deque.html.axecore.selenium.AxeBuilder;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.logging.Level;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.ImageOutputStream;
import org.awaitility.Awaitility;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** Debian's Chromium without its window, on the pages of one program. */
final class Chromium implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Path PICTURES = Path.of(System.getProperty("slotwise.pictures", "target/pictures"));

    private final ChromeDriver driver;
    private final URI root;

    /** A browser for the program at an address. */
    Chromium(URI root) {
        this.root = root;
        LoggingPreferences logging = new LoggingPreferences();
        logging.enable(LogType.BROWSER, Level.ALL);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(
                program("slotwise.chromium", "/usr/bin/chromium", "chromium").toFile());
        options.addArguments(
                "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--force-color-profile=srgb");
        options.setCapability("goog:loggingPrefs", logging);
        driver = new ChromeDriver(
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(
                                program("slotwise.chromedriver", "/usr/bin/chromedriver", "chromium-driver")
                                        .toFile())
                        .usingAnyFreePort()
                        .build(),
                options);
    }

    private static Path program(String property, String usual, String debian) {
        Path program = Path.of(System.getProperty(property, usual));
        if (!Files.isExecutable(program)) {
            throw new IllegalStateException(
                    "The program (%s) is missing. Maybe install it (Debian: apt install %s), or name it with -D%s=PATH."
                            .formatted(program, debian, property));
        }
        return program;
    }

    /** How large the page's window is, in pixels of the style sheet, and how many of the screen's make one. */
    Chromium size(int width, int height, double density) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", density, "mobile", width < 600));
        return this;
    }

    /** What the system's colours are: {@code light} or {@code dark}. */
    Chromium colours(String scheme) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
        return this;
    }

    /** Whether there is a network. */
    void online(boolean online) {
        driver.executeCdpCommand("Network.enable", Map.of());
        driver.executeCdpCommand(
                "Network.emulateNetworkConditions",
                Map.of("offline", !online, "latency", 0, "downloadThroughput", -1, "uploadThroughput", -1));
    }

    /** Opens a page anew, as {@code /#/quote}, and waits until the first frame of the chart is drawn. */
    Chromium open(String page) {
        driver.get("about:blank");
        driver.get(root.resolve(page).toString());
        await(() -> !attribute("#chart", "data-drawn").isEmpty());
        return this;
    }

    /** Waits until it is so. */
    void await(BooleanSupplier so) {
        Awaitility.await()
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .ignoreExceptions()
                .until(so::getAsBoolean);
    }

    /** Waits until an element has this text somewhere. */
    void awaitText(String selector, String text) {
        await(() -> text(selector).contains(text));
    }

    WebElement element(String selector) {
        return driver.findElement(By.cssSelector(selector));
    }

    List<WebElement> elements(String selector) {
        return driver.findElements(By.cssSelector(selector));
    }

    /** What an element shows. */
    String text(String selector) {
        try {
            return element(selector).getText();
        } catch (StaleElementReferenceException e) {
            // The page has put another one in its place meanwhile.
            return element(selector).getText();
        }
    }

    /** An attribute; empty: there is none. */
    String attribute(String selector, String name) {
        return Objects.requireNonNullElse(element(selector).getDomAttribute(name), "");
    }

    /** How many bars the last frame drew. */
    int drawn() {
        return Integer.parseInt(attribute("#chart", "data-drawn"));
    }

    /** What a script returns; it ends with a call of its last argument if it is {@code later}. */
    Object script(String text) {
        return Objects.requireNonNullElse(driver.executeScript(text), "");
    }

    Object scriptThatTakesTime(String text) {
        driver.manage().timeouts().scriptTimeout(Duration.ofMinutes(1));
        return Objects.requireNonNullElse(driver.executeAsyncScript(text), "");
    }

    long number(String script) {
        return ((Number) script(script)).longValue();
    }

    void press(CharSequence... keys) {
        new Actions(driver).sendKeys(keys).perform();
    }

    /** Presses a key together with Shift. */
    void pressWithShift(Keys key) {
        new Actions(driver).keyDown(Keys.SHIFT).sendKeys(key).keyUp(Keys.SHIFT).perform();
    }

    /** Clicks at a place of an element, from its upper left corner. */
    void click(String selector, int x, int y) {
        WebElement element = element(selector);
        at(element, x, y).click().perform();
    }

    /** Drags from a place of an element. */
    void drag(String selector, int x, int y, int dx) {
        at(element(selector), x, y)
                .clickAndHold()
                .moveByOffset(dx / 2, 0)
                .moveByOffset(dx - dx / 2, 0)
                .release()
                .perform();
    }

    private Actions at(WebElement element, int x, int y) {
        int width = element.getSize().getWidth();
        int height = element.getSize().getHeight();
        return new Actions(driver).moveToElement(element, x - width / 2, y - height / 2);
    }

    /** Turns the wheel over a place of an element, with Ctrl or without. */
    void wheel(String selector, int x, int y, int by, boolean control) {
        script("""
                const area = document.querySelector('%s');
                const box = area.getBoundingClientRect();
                area.dispatchEvent(new WheelEvent('wheel', { clientX: box.left + %d, clientY: box.top + %d, deltaY: %d,
                  ctrlKey: %b, bubbles: true, cancelable: true }));
                """.formatted(selector, x, y, by, control));
    }

    String title() {
        return Objects.requireNonNullElse(driver.getTitle(), "");
    }

    /** The part of the address after {@code #}. */
    String place() {
        return Objects.requireNonNullElse(
                URI.create(String.valueOf(driver.getCurrentUrl())).getFragment(), "");
    }

    /** What axe-core finds wrong with the page as it is now. */
    void assertAccessible() {
        List<Rule> violations = new AxeBuilder().analyze(driver).getViolations();

        assertThat(violations.stream().map(Chromium::words).toList()).isEmpty();
    }

    private static String words(Rule rule) {
        return "%s (%s): %s"
                .formatted(
                        rule.getId(),
                        rule.getHelp(),
                        rule.getNodes().stream()
                                .map(node -> node.getHtml() + " "
                                        + node.getAny().stream()
                                                .map(check -> check.getMessage())
                                                .toList())
                                .toList());
    }

    /** What the page's console says that is worse than a remark, since the last call. */
    List<String> complaints() {
        List<String> complaints = new ArrayList<>();
        for (LogEntry entry : driver.manage().logs().get(LogType.BROWSER)) {
            if (entry.getLevel().intValue() >= Level.WARNING.intValue()) {
                complaints.add(entry.getMessage());
            }
        }
        return complaints;
    }

    /** Leaves a picture of what is in sight; of the whole page where {@code whole}. */
    void picture(String name, boolean whole) {
        Map<String, Object> shot = driver.executeCdpCommand(
                "Page.captureScreenshot", Map.of("format", "png", "captureBeyondViewport", whole));
        byte[] bytes = Base64.getDecoder().decode(String.valueOf(shot.get("data")));
        try {
            Files.createDirectories(PICTURES);
            write(ImageIO.read(new ByteArrayInputStream(bytes)), PICTURES.resolve(name + ".png"));
        } catch (IOException e) {
            throw new UncheckedIOException("The picture (" + name + ") was not written.", e);
        }
    }

    /** Without the channel for transparency, and as small as the format makes it. */
    private static void write(BufferedImage image, Path file) throws IOException {
        BufferedImage opaque = new BufferedImage(image.getWidth(), image.getHeight(), BufferedImage.TYPE_INT_RGB);
        opaque.createGraphics().drawImage(image, 0, 0, null);
        ImageWriter writer = ImageIO.getImageWritersByFormatName("png").next();
        ImageWriteParam compression = writer.getDefaultWriteParam();
        compression.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
        compression.setCompressionQuality(0);
        Files.deleteIfExists(file);
        try (ImageOutputStream out = ImageIO.createImageOutputStream(file.toFile())) {
            writer.setOutput(out);
            writer.write(null, new IIOImage(opaque, null, null), compression);
        } finally {
            writer.dispose();
        }
    }

    @Override
    public void close() {
        driver.quit();
    }
}
