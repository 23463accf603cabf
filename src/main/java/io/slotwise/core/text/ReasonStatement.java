package io.slotwise.core.text;

import io.slotwise.core.money.Currency;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A statement about a gang, as a value. A caller first removes what the reader may not see ({@link #asSeen}) and only
 * then formats a sentence ({@link #message}). No caller searches a sentence for names.
 */
public interface ReasonStatement {
    /** Returns one sentence without a full stop. The same value gives the same words. Money has no currency. */
    String message();

    /** Returns the topic, the same while only figures change. Null: the statement is always repeated. */
    default @Nullable String topic() {
        return null;
    }

    default String message(Currency currency) {
        return message();
    }

    default ReasonStatement in(Currency currency) {
        return currency.isNone() ? this : new Priced(this, currency);
    }

    /** Returns the statement without gangs and pods of other namespaces than these. */
    default ReasonStatement asSeen(Predicate<String> namespaces) {
        return this;
    }

    /** Returns a statement of words that name no gang or pod of another namespace. */
    static ReasonStatement of(String words) {
        return new Words(words);
    }

    record Priced(ReasonStatement reason, Currency currency) implements ReasonStatement {
        @Override
        public String message() {
            return reason.message(currency);
        }

        @Override
        public @Nullable String topic() {
            return reason.topic();
        }

        @Override
        public ReasonStatement asSeen(Predicate<String> namespaces) {
            return new Priced(reason.asSeen(namespaces), currency);
        }
    }

    /** Words, in one line, for every reader who may read about the gang. */
    record Words(String message) implements ReasonStatement {
        public Words {
            message = SafeText.line(message);
        }
    }
}
