package io.slotwise.it.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.ImageTypeSpecifier;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.metadata.IIOMetadata;
import javax.imageio.metadata.IIOMetadataNode;
import javax.imageio.stream.ImageInputStream;
import javax.imageio.stream.ImageOutputStream;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * A picture of a page as a PNG file with a text that says what the picture shows: a digest of everything on the page.
 * Pictures of the same contents may differ in their pixels, as browsers and fonts do, so the documentation's pictures
 * are compared by digest.
 */
final class Picture {
    private static final Path TAKEN = Path.of(System.getProperty("slotwise.pictures", "target/pictures"));
    private static final Path SHOWN = Path.of("docs/images");
    private static final String FORMAT = "javax_imageio_png_1.0";
    private static final String KEYWORD = "Shows";

    private Picture() {}

    /** Returns whether the documentation's pictures are made again. */
    static boolean renews() {
        return TAKEN.toAbsolutePath().equals(SHOWN.toAbsolutePath());
    }

    static void keep(String name, BufferedImage image, String shows) {
        Path file = TAKEN.resolve(name + ".png");
        try {
            Files.createDirectories(TAKEN);
            write(image, file, shows);
        } catch (IOException e) {
            throw new UncheckedIOException("The picture (" + file + ") was not written.", e);
        }
    }

    /** Fails if the documentation's picture of this name shows something else. */
    static void assertShown(String name, String shows, Class<?> test) {
        Path file = SHOWN.resolve(name + ".png");
        assertThat(shows(file))
                .as("""
                        what %s shows; the page is made of something else now. Make the pictures anew:
                        mvn verify -P%s -Dit.test=%s -Dtest=ArchitectureTest -Dslotwise.pictures=docs/images
                        """, file, profile(test), test.getSimpleName())
                .isEqualTo(shows);
    }

    /** The Maven profile that runs the test. */
    private static String profile(Class<?> test) {
        return test.getPackage().equals(Picture.class.getPackage()) ? "browser" : "it";
    }

    /** Writes the picture without transparency, as small as the format permits. */
    private static void write(BufferedImage image, Path file, String shows) throws IOException {
        BufferedImage opaque = new BufferedImage(image.getWidth(), image.getHeight(), BufferedImage.TYPE_INT_RGB);
        opaque.createGraphics().drawImage(image, 0, 0, null);
        ImageWriter writer = ImageIO.getImageWritersByFormatName("png").next();
        ImageWriteParam compression = writer.getDefaultWriteParam();
        compression.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
        compression.setCompressionQuality(0);
        IIOMetadata metadata =
                writer.getDefaultImageMetadata(ImageTypeSpecifier.createFromRenderedImage(opaque), compression);
        metadata.mergeTree(FORMAT, saying(shows));
        Files.deleteIfExists(file);
        try (ImageOutputStream out = ImageIO.createImageOutputStream(file.toFile())) {
            writer.setOutput(out);
            writer.write(null, new IIOImage(opaque, null, metadata), compression);
        } finally {
            writer.dispose();
        }
    }

    private static IIOMetadataNode saying(String shows) {
        IIOMetadataNode entry = new IIOMetadataNode("tEXtEntry");
        entry.setAttribute("keyword", KEYWORD);
        entry.setAttribute("value", shows);
        IIOMetadataNode text = new IIOMetadataNode("tEXt");
        text.appendChild(entry);
        IIOMetadataNode root = new IIOMetadataNode(FORMAT);
        root.appendChild(text);
        return root;
    }

    /** The digest in a picture's text, or null without one. */
    private static @Nullable String shows(Path file) {
        if (!Files.exists(file)) {
            return null;
        }
        ImageReader reader = ImageIO.getImageReadersByFormatName("png").next();
        try (ImageInputStream in = ImageIO.createImageInputStream(file.toFile())) {
            reader.setInput(in);
            NodeList texts = ((Element) reader.getImageMetadata(0).getAsTree(FORMAT)).getElementsByTagName("tEXtEntry");
            for (int i = 0; i < texts.getLength(); i++) {
                Element text = (Element) texts.item(i);
                if (text.getAttribute("keyword").equals(KEYWORD)) {
                    return text.getAttribute("value");
                }
            }
            return null;
        } catch (IOException e) {
            throw new UncheckedIOException("The picture (" + file + ") cannot be read.", e);
        } finally {
            reader.dispose();
        }
    }
}
