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

/** Debian's headless Chromium, on the pages of one program. */
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

    /** Starts a browser for the program at an address. */
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

    /** Sets the size of the page's window in CSS pixels, and the screen's pixels per CSS pixel. */
    public Chromium size(int width, int height, double density) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", density, "mobile", width < 600));
        return this;
    }

    /** Sets the system's colour scheme: {@code light} or {@code dark}. */
    Chromium colours(String scheme) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
        return this;
    }

    /** Sets whether there is a network. */
    void online(boolean online) {
        driver.executeCdpCommand("Network.enable", Map.of());
        driver.executeCdpCommand(
                "Network.emulateNetworkConditions",
                Map.of("offline", !online, "latency", 0, "downloadThroughput", -1, "uploadThroughput", -1));
    }

    /** Reloads a page such as {@code /#/quote}, and waits until the first frame of the chart is drawn. */
    public Chromium open(String page) {
        driver.get("about:blank");
        driver.get(root.resolve(page).toString());
        await(() -> !attribute("#chart", "data-drawn").isEmpty());
        return this;
    }

    /** Reloads a page without such a chart. */
    Chromium visit(String page) {
        driver.get("about:blank");
        driver.get(root.resolve(page).toString());
        return this;
    }

    Chromium forgetCookies() {
        driver.executeCdpCommand("Network.clearBrowserCookies", Map.of());
        return this;
    }

    String address() {
        return String.valueOf(driver.getCurrentUrl());
    }

    /** Leaves the page, runs {@code meanwhile} and returns. */
    void leaveAndReturn(Runnable meanwhile) {
        driver.get("about:blank");
        meanwhile.run();
        driver.navigate().back();
    }

    void await(BooleanSupplier so) {
        Awaitility.await()
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .ignoreExceptions()
                .until(so::getAsBoolean);
    }

    public void awaitText(String selector, String text) {
        await(() -> text(selector).contains(text));
    }

    public WebElement element(String selector) {
        return driver.findElement(By.cssSelector(selector));
    }

    public void fill(String selector, String text) {
        WebElement field = element(selector);
        field.clear();
        field.sendKeys(text);
    }

    List<WebElement> elements(String selector) {
        return driver.findElements(By.cssSelector(selector));
    }

    public String text(String selector) {
        try {
            return element(selector).getText();
        } catch (StaleElementReferenceException e) {
            // The page has replaced the element meanwhile.
            return element(selector).getText();
        }
    }

    /** An attribute, or empty. */
    String attribute(String selector, String name) {
        return Objects.requireNonNullElse(element(selector).getDomAttribute(name), "");
    }

    /** The number of bars in the last frame. */
    int drawn() {
        return Integer.parseInt(attribute("#chart", "data-drawn"));
    }

    /** Returns the result of a script. A script with {@code later} ends with a call of its last argument. */
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

    void pressWithShift(Keys key) {
        new Actions(driver).keyDown(Keys.SHIFT).sendKeys(key).keyUp(Keys.SHIFT).perform();
    }

    /** Clicks at a position of an element, from its upper left corner. */
    void click(String selector, int x, int y) {
        WebElement element = element(selector);
        at(element, x, y).click().perform();
    }

    /** Points at the middle of an element. */
    void point(String selector) {
        new Actions(driver).moveToElement(element(selector)).perform();
    }

    /** Drags from a position of an element. */
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

    /** Turns the wheel over a position of an element. */
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

    /** Asserts that axe-core finds no violations on the present page. */
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

    /** The warnings and errors of the page's console since the last call. */
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
     * Saves a picture of the visible part or, with {@code whole}, of the whole page. Fails if the documentation's
     * picture of this name shows other pages.
     *
     * @param test that takes it
     */
    void picture(String name, boolean whole, Class<?> test) {
        picture(name, whole, madeOf(), test);
    }

    /** Saves a picture in the same way, with the caller's digest of what the page shows. */
    void picture(String name, boolean whole, String shows, Class<?> test) {
        keep(name, whole, shows);
        Picture.assertShown(name, shows, test);
    }

    /**
     * Saves a picture of a whole page in a file, which says {@code data-drawn} when it is drawn. Fails if the
     * documentation's picture of this name shows something else.
     *
     * @param shows a digest of what it shows
     * @param test that takes it
     */
    public void picture(String name, Path page, String shows, Class<?> test) {
        driver.get(page.toUri().toString());
        await(() -> !attribute("html", "data-drawn").isEmpty());
        picture(name, true, shows, test);
    }

    /** Returns whether the documentation's pictures are made again. */
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

    /** A digest of the page's files, size and colours, without its data. */
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
