package io.slotwise.live.port;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LeadershipTest {
    private boolean leads = true;
    private long epoch = 3;
    private final Leadership leadership = new Leadership() {
        @Override
        public boolean getAsBoolean() {
            return leads;
        }

        @Override
        public long epoch() {
            return epoch;
        }
    };

    @Test
    void aReignEndsWithTheLossOfTheLeaseAndDoesNotComeBackWithIt() {
        Leadership.Reign reign = leadership.reign();
        assertThat(reign.getAsBoolean()).isTrue();

        leads = false;
        assertThat(reign.getAsBoolean()).isFalse();

        leads = true;
        epoch = 5;
        assertThat(reign.getAsBoolean()).isFalse();
        assertThat(leadership.reign().getAsBoolean()).isTrue();
    }
}
