package io.slotwise.core.text;

import io.slotwise.core.money.Currency;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What is told of a gang, as a value. A caller that shows it to a reader first leaves out what that reader may not see
 * ({@link #asSeen}) and only then makes a sentence of it ({@link #message}): no caller searches a sentence for names.
 */
public interface ReasonStatement {
    /** One sentence without a full stop; the same value gives the same words. Amounts of money are plain figures. */
    String message();

    /** What it is about, the same while only figures in it change; null: it is told each time. */
    default @Nullable String topic() {
        return null;
    }

    /** The same for people who are told what money is in. */
    default String message(Currency currency) {
        return message();
    }

    /** The same as it is told where money is in this: its sentences say so. */
    default ReasonStatement in(Currency currency) {
        return currency.isNone() ? this : new Priced(this, currency);
    }

    /** The same without the names of gangs and pods of namespaces other than these, which the reader may see. */
    default ReasonStatement asSeen(Predicate<String> namespaces) {
        return this;
    }

    /** Words that name no gang or pod of a namespace other than that of the gang that they are about. */
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

    /** Words, in one line, that everybody may read who may read about the gang. */
    record Words(String message) implements ReasonStatement {
        public Words {
            message = SafeText.line(message);
        }
    }
}
