package io.slotwise.config;

import java.util.List;

/**
 * The value of a policy key.
 *
 * @param place the file and line, or the property
 * @param text as it was written, a list between brackets
 */
record PolicyValue(String place, String text, List<String> items, Form form) {
    enum Form {
        SCALAR,
        SEQUENCE,
        MAPPING
    }

    PolicyValue {
        items = List.copyOf(items);
    }

    PolicyFile.Stated stated(List<String> path) {
        String from = place.replaceFirst("^(default|preset [a-z-]+), line \\d+$", "$1");
        return new PolicyFile.Stated(path, text, from, form == Form.SEQUENCE ? items : text);
    }
}
