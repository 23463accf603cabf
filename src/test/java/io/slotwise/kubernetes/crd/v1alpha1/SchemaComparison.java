package io.slotwise.kubernetes.crd.v1alpha1;

import com.fasterxml.jackson.databind.JsonNode;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

final class SchemaComparison {
    private SchemaComparison() {}

    /** Adds the differences between a schema and a record, field by field. */
    static void compare(String path, JsonNode schema, Class<?> type, List<String> differences) {
        Set<String> inSchema = new TreeSet<>();
        schema.path("properties").fieldNames().forEachRemaining(inSchema::add);
        Set<String> inJava = new TreeSet<>();
        for (RecordComponent component : type.getRecordComponents()) {
            inJava.add(component.getName());
            compareField(
                    path + "." + component.getName(),
                    schema.path("properties").path(component.getName()),
                    component,
                    differences);
        }
        if (!inSchema.equals(inJava)) {
            differences.add("%s: the schema has %s, the type has %s".formatted(path, inSchema, inJava));
        }
    }

    private static void compareField(
            String path, JsonNode schema, RecordComponent component, List<String> differences) {
        Class<?> type = component.getType();
        String wanted = wireType(type);
        if (!schema.path("type").asText().equals(wanted)) {
            differences.add("%s: the schema says %s, the type is %s".formatted(path, schema.path("type"), wanted));
        }
        if ((type == long.class || type == Long.class)
                && !schema.path("format").asText().equals("int64")) {
            differences.add(path + ": a long must have format int64");
        }
        if (type.isRecord()) {
            compare(path, schema, type, differences);
        }
        if (component.getGenericType() instanceof ParameterizedType list
                && list.getActualTypeArguments()[0] instanceof Class<?> item
                && item.isRecord()) {
            compare(path + "[]", schema.path("items"), item, differences);
        }
    }

    private static String wireType(Class<?> type) {
        if (type == String.class || type.isEnum()) {
            return "string";
        }
        if (type == int.class || type == Integer.class || type == long.class || type == Long.class) {
            return "integer";
        }
        if (type == Boolean.class || type == boolean.class) {
            return "boolean";
        }
        return List.class.isAssignableFrom(type) ? "array" : "object";
    }
}
