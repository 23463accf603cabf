package io.slotwise.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.net.SocketAddress;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LocalCallersTest {
    private static final ExtenderClients NOBODY = new ExtenderClients(Optional.empty(), Optional.empty());

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, /scheduler/v1/bind, true",
        "::1, /scheduler/v1/filter, true",
        "10.1.2.3, /scheduler/v1/bind, false",
        "10.1.2.3, /scheduler/v1/filter, false",
        "10.1.2.3, /scheduler;a=b/v1/bind, false",
        "10.1.2.3, /metrics, true"
    })
    void onlyTheOwnHostCallsTheExtender(String caller, String path, boolean answered) {
        SocketAddress address = SocketAddress.inetSocketAddress(1234, caller);

        assertThat(new LocalCallers(false, NOBODY).answers(path, address)).isEqualTo(answered);
    }

    @Test
    void aCallerWithoutAnAddressIsNotAnswered() {
        assertThat(new LocalCallers(false, NOBODY).answers("/scheduler/v1/bind", null))
                .isFalse();
    }

    @Test
    void everybodyIsAnsweredWhereTheAdminSaysSo() {
        SocketAddress address = SocketAddress.inetSocketAddress(1234, "10.1.2.3");

        assertThat(new LocalCallers(true, NOBODY).answers("/scheduler/v1/bind", address))
                .isTrue();
    }
}
