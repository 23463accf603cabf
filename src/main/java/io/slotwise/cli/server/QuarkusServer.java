package io.slotwise.cli.server;

import io.quarkus.runtime.Quarkus;
import io.slotwise.config.InvalidInput;
import java.util.Map;

/** The extender and the planning loop as a Quarkus application in this process. */
public final class QuarkusServer implements Server {
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

    /** Returns whether the classes that Quarkus generates for the packaged application exist. */
    private static boolean isBuilt() {
        try {
            Class.forName(APPLICATION, false, Thread.currentThread().getContextClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }
}
