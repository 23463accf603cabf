package io.slotwise.web;

import io.slotwise.live.CurrentSettings;
import io.slotwise.live.Host;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** What several resources answer from. */
@Singleton
final class WebComponents {
    @Produces
    @Singleton
    Answers answers(Host host, CurrentSettings settings) {
        return new Answers(
                host::latest,
                host.view(),
                host.clock(),
                host::told,
                () -> settings.get().currency());
    }
}
