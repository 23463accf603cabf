package io.slotwise.web;

import static org.mockito.Answers.RETURNS_DEEP_STUBS;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.vertx.core.net.SocketAddress;
import io.vertx.ext.web.RoutingContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LocalCallersTest {
    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, /scheduler/v1/bind, true",
        "::1, /scheduler/v1/filter, true",
        "10.1.2.3, /scheduler/v1/bind, false",
        "10.1.2.3, /scheduler/v1/filter, false",
        "10.1.2.3, /metrics, true"
    })
    void onlyTheOwnHostCallsTheExtender(String caller, String path, boolean passes) {
        RoutingContext call = call(caller, path);

        new LocalCallers(false).check(call);

        if (passes) {
            verify(call).next();
        } else {
            verify(call, never()).next();
            verify(call.response()).setStatusCode(403);
        }
    }

    @Test
    void everybodyDoesWhereTheAdminSaysSo() {
        RoutingContext call = call("10.1.2.3", "/scheduler/v1/bind");

        new LocalCallers(true).check(call);

        verify(call).next();
    }

    private static RoutingContext call(String caller, String path) {
        RoutingContext call = mock(RoutingContext.class, RETURNS_DEEP_STUBS);
        when(call.normalizedPath()).thenReturn(path);
        when(call.request().remoteAddress()).thenReturn(SocketAddress.inetSocketAddress(1234, caller));
        return call;
    }
}
