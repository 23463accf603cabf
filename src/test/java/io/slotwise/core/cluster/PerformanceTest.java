package io.slotwise.core.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PerformanceTest {
    @ParameterizedTest
    @CsvSource({"0, 1", "59, 2500000", "61, 333333", "1999999, 1234567", "315360000000, 1000000000000"})
    void workIsSecondsTimesPerformanceRoundedDown(long elapsed, long millionths) {
        BigInteger exact = BigInteger.valueOf(elapsed)
                .multiply(BigInteger.valueOf(millionths))
                .divide(BigInteger.valueOf(1_000_000));

        assertThat(new Performance(millionths).work(elapsed)).isEqualTo(exact.longValueExact());
    }
}
