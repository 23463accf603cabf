package io.slotwise.cli;

import io.quarkus.runtime.Quarkus;
import io.slotwise.config.InvalidInput;
import java.util.Map;

/** The extender and its planning cycle as a Quarkus application of this process. */
final class QuarkusServer implements Server {
    private static final String APPLICATION = "io.quarkus.runner.ApplicationImpl";

    @Override
    public void run(Map<String, String> properties) {
        if (!isBuilt()) {
            throw new InvalidInput("serve and demo need the packaged program; expected"
                    + " java -jar target/quarkus-app/quarkus-run.jar, or ./slotwise");
        }
        properties.forEach(System::setProperty);
        Quarkus.run();
    }

    /** Whether the classes that Quarkus generates when it packages the application can be found. */
    private static boolean isBuilt() {
        try {
            Class.forName(APPLICATION, false, Thread.currentThread().getContextClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }
}
