package io.slotwise.it.faults;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Properties;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/**
 * An agent that gives the program under test a {@link SteppedClock} without a hook in the program: the agent replaces
 * the system's clock in the only method that makes the program's clock. The JVM ends if the method is not found, so
 * that no run relies on steps that did not happen.
 */
public final class ClockAgent {
    /** The class whose method makes the clock. */
    static final String OWNER = "io/slotwise/config/ReplicaWiring";

    static final String METHOD = "clock";

    /** The key under which all class loaders find the clock. */
    static final String KEY = "slotwise.it.clock";

    private ClockAgent() {}

    /** Called by the JVM before the program. {@code file} is the clock's file. */
    public static void premain(String file, Instrumentation instrumentation) {
        System.getProperties().put(KEY, new SteppedClock(Path.of(file)));
        instrumentation.addTransformer(new ClassFileTransformer() {
            @Override
            public byte @Nullable [] transform(
                    @Nullable ClassLoader loader,
                    String name,
                    @Nullable Class<?> redefined,
                    @Nullable ProtectionDomain domain,
                    byte[] bytes) {
                return OWNER.equals(name) ? orEnd(bytes) : null;
            }
        });
    }

    @SuppressWarnings("SystemOut")
    private static byte[] orEnd(byte[] bytes) {
        try {
            return withSteppedClock(bytes);
        } catch (RuntimeException e) {
            System.err.println("The clock was not replaced: " + e);
            Runtime.getRuntime().halt(3);
            throw e;
        }
    }

    /** The class with its call of {@link InstantSource#system()} replaced. */
    static byte[] withSteppedClock(byte[] bytes) {
        ClassFile files = ClassFile.of();
        boolean[] replaced = {false};
        ClassTransform transform = ClassTransform.transformingMethodBodies(
                method -> method.methodName().equalsString(METHOD), (code, element) -> {
                    if (element instanceof InvokeInstruction call
                            && call.owner().asInternalName().equals("java/time/InstantSource")
                            && call.name().equalsString("system")) {
                        replaced[0] = true;
                        ClassDesc properties =
                                Properties.class.describeConstable().orElseThrow();
                        ClassDesc object = Object.class.describeConstable().orElseThrow();
                        code.invokestatic(
                                        System.class.describeConstable().orElseThrow(),
                                        "getProperties",
                                        MethodTypeDesc.of(properties))
                                .ldc(KEY)
                                .invokevirtual(properties, "get", MethodTypeDesc.of(object, object))
                                .checkcast(
                                        InstantSource.class.describeConstable().orElseThrow());
                    } else {
                        code.with(element);
                    }
                });
        byte[] changed = files.transformClass(files.parse(bytes), transform);
        if (!replaced[0]) {
            throw new IllegalStateException(OWNER + "." + METHOD + " does not call InstantSource.system()");
        }
        return changed;
    }

    /** Writes the agent's archive into a folder, and returns the JVM option for it. */
    public static String option(Path folder, Path clock) {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Premain-Class", ClockAgent.class.getName());
        Path archive = folder.resolve("clock-agent.jar");
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(archive), manifest)) {
            for (String name : new String[] {"ClockAgent", "ClockAgent$1", "SteppedClock"}) {
                String entry = ClockAgent.class.getPackageName().replace('.', '/') + "/" + name + ".class";
                jar.putNextEntry(new JarEntry(entry));
                try (InputStream in =
                        Objects.requireNonNull(ClockAgent.class.getClassLoader().getResourceAsStream(entry), entry)) {
                    in.transferTo(jar);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return "-javaagent:" + archive + "=" + clock;
    }
}
