package io.slotwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The training run behind the JVM's cache of short commands. */
class TrainingTest {
    @ParameterizedTest
    @EnumSource
    void eachCommandOfTheTrainingDoesItsWorkWithoutAWord(Training.Kind kind) throws IOException {
        StringWriter err = new StringWriter();

        int status = Training.run(new PrintWriter(err), kind);

        assertThat(err.toString()).isEmpty();
        assertThat(status).isZero();
    }
}
