package io.slotwise.config;

import java.util.List;

/**
 * What a policy says under one key.
 *
 * @param place the file and line, or the property
 * @param text as it was written, a list between brackets
 * @param form what kind of YAML it is
 */
record PolicyValue(String place, String text, List<String> items, Form form) {
    /** What kind of YAML. */
    enum Form {
        SCALAR,
        SEQUENCE,
        MAPPING
    }

    PolicyValue {
        items = List.copyOf(items);
    }

    /** It under these names. */
    PolicyFile.Stated stated(List<String> path) {
        String from = place.replaceFirst("^(default|preset [a-z-]+), line \\d+$", "$1");
        return new PolicyFile.Stated(path, text, from, form == Form.SEQUENCE ? items : text);
    }
}
