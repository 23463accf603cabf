package io.slotwise.kubernetes.watch;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A reflector's memory without the record of who manages which field, which is often the larger part of an object. */
final class StrippedStore<T extends HasMetadata> implements ItemStore<T> {
    private final Map<String, T> items = new ConcurrentHashMap<>();
    private final Consumer<? super T> strip;

    /**
     * A memory of parts of objects.
     *
     * @param strip takes out what no code reads
     */
    StrippedStore(Consumer<? super T> strip) {
        this.strip = strip;
    }

    @Override
    public String getKey(T item) {
        return Cache.metaNamespaceKeyFunc(item);
    }

    @Override
    public @Nullable T put(String key, T item) {
        item.getMetadata().setManagedFields(null);
        strip.accept(item);
        return items.put(key, item);
    }

    @Override
    public @Nullable T remove(String key) {
        return items.remove(key);
    }

    @Override
    public Stream<String> keySet() {
        return items.keySet().stream();
    }

    @Override
    public Stream<T> values() {
        return items.values().stream();
    }

    @Override
    public int size() {
        return items.size();
    }

    @Override
    public @Nullable T get(String key) {
        return items.get(key);
    }
}
