package io.slotwise.it.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.deque.html.axecore.results.Rule;
import com.deque.html.axecore.selenium.AxeBuilder;
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
import javax.imageio.ImageIO;
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
public final class Chromium implements AutoCloseable {
    private static final String BROWSER = "slotwise.chromium";
    private static final String USUAL_BROWSER = "/usr/bin/chromium";
    private static final String DRIVER = "slotwise.chromedriver";
    private static final String USUAL_DRIVER = "/usr/bin/chromedriver";
    private static final Path PAGES = Path.of("src/main/resources/META-INF/resources");
    private static final String LOOK =
            "return [innerWidth, innerHeight, devicePixelRatio, matchMedia('(prefers-color-scheme: "
                    + "dark)').matches].join()";
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final ChromeDriver driver;
    private final URI root;

    /** A browser for the program at an address. */
    public Chromium(URI root) {
        this.root = root;
        LoggingPreferences logging = new LoggingPreferences();
        logging.enable(LogType.BROWSER, Level.ALL);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(program(BROWSER, USUAL_BROWSER, "chromium").toFile());
        options.addArguments(
                "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--force-color-profile=srgb");
        options.setCapability("goog:loggingPrefs", logging);
        driver = new ChromeDriver(
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(
                                program(DRIVER, USUAL_DRIVER, "chromium-driver").toFile())
                        .usingAnyFreePort()
                        .build(),
                options);
        driver.manage().timeouts().pageLoadTimeout(PATIENCE);
    }

    /** Whether there is one on this machine. */
    public static boolean isInstalled() {
        return Files.isExecutable(path(BROWSER, USUAL_BROWSER)) && Files.isExecutable(path(DRIVER, USUAL_DRIVER));
    }

    private static Path path(String property, String usual) {
        return Path.of(System.getProperty(property, usual));
    }

    private static Path program(String property, String usual, String debian) {
        Path program = path(property, usual);
        if (!Files.isExecutable(program)) {
            throw new IllegalStateException(
                    "The program (%s) is missing. Maybe install it (Debian: apt install %s), or name it with -D%s=PATH."
                            .formatted(program, debian, property));
        }
        return program;
    }

    /** How large the page's window is, in pixels of the style sheet, and how many of the screen's make one. */
    public Chromium size(int width, int height, double density) {
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
    public Chromium open(String page) {
        driver.get("about:blank");
        driver.get(root.resolve(page).toString());
        await(() -> !attribute("#chart", "data-drawn").isEmpty());
        return this;
    }

    /** Opens a page anew that has no such chart. */
    Chromium visit(String page) {
        driver.get("about:blank");
        driver.get(root.resolve(page).toString());
        return this;
    }

    /** As if it had never been here. */
    Chromium forgetCookies() {
        driver.executeCdpCommand("Network.clearBrowserCookies", Map.of());
        return this;
    }

    /** Where it is. */
    String address() {
        return String.valueOf(driver.getCurrentUrl());
    }

    /** Goes elsewhere and back. */
    void leaveAndReturn(Runnable meanwhile) {
        driver.get("about:blank");
        meanwhile.run();
        driver.navigate().back();
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
    public void awaitText(String selector, String text) {
        await(() -> text(selector).contains(text));
    }

    public WebElement element(String selector) {
        return driver.findElement(By.cssSelector(selector));
    }

    /** Writes into a field, in the place of what is there. */
    public void fill(String selector, String text) {
        WebElement field = element(selector);
        field.clear();
        field.sendKeys(text);
    }

    List<WebElement> elements(String selector) {
        return driver.findElements(By.cssSelector(selector));
    }

    /** What an element shows. */
    public String text(String selector) {
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

    /** Points at the middle of an element. */
    void point(String selector) {
        new Actions(driver).moveToElement(element(selector)).perform();
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

    /**
     * Leaves a picture of what is in sight, or of the whole page where {@code whole}; the documentation's of this name
     * must be of the same pages.
     *
     * @param test that takes it
     */
    void picture(String name, boolean whole, Class<?> test) {
        picture(name, whole, madeOf(), test);
    }

    /** The same of a page of which somebody else knows what it shows, as a digest. */
    void picture(String name, boolean whole, String shows, Class<?> test) {
        keep(name, whole, shows);
        Picture.assertShown(name, shows, test);
    }

    /**
     * Leaves a picture of the whole of a page that is a file and says {@code data-drawn} when it is drawn; the
     * documentation's of this name must show the same.
     *
     * @param shows a digest of what it shows
     * @param test that takes it
     */
    public void picture(String name, Path page, String shows, Class<?> test) {
        driver.get(page.toUri().toString());
        await(() -> !attribute("html", "data-drawn").isEmpty());
        picture(name, true, shows, test);
    }

    /** Whether the documentation's pictures are made anew. */
    public static boolean renewsPictures() {
        return Picture.renews();
    }

    private void keep(String name, boolean whole, String shows) {
        Map<String, Object> shot = driver.executeCdpCommand(
                "Page.captureScreenshot", Map.of("format", "png", "captureBeyondViewport", whole));
        byte[] bytes = Base64.getDecoder().decode(String.valueOf(shot.get("data")));
        try {
            Picture.keep(name, ImageIO.read(new ByteArrayInputStream(bytes)), shows);
        } catch (IOException e) {
            throw new UncheckedIOException("The picture (" + name + ") cannot be read.", e);
        }
    }

    /** A digest of the files that the page on show is made of, and its size and colours; not of what they tell. */
    private String madeOf() {
        return new Contents()
                .andFiles(PAGES, file -> !file.startsWith("api"))
                .and(String.valueOf(script(LOOK)))
                .digest();
    }

    @Override
    public void close() {
        driver.quit();
    }
}
