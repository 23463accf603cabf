package io.slotwise.core.text;

import io.slotwise.core.money.Currency;
import java.util.function.Predicate;

/**
 * What is told of a gang, as a value. Whoever shows it to somebody first leaves out what that reader may not see ({@link #asSeen}) and only then
 * makes a sentence of it ({@link #message}): nobody searches a sentence for names.
 */
public interface Statement {
    /** One sentence without a full stop; the same value gives the same words. Amounts of money are plain figures. */
    String message();

    /** The same for people who are told what money is in. */
    default String message(Currency currency) {
        return message();
    }

    /** The same as it is told where money is in this: its sentences say so. */
    default Statement in(Currency currency) {
        return currency.isNone() ? this : new Priced(this, currency);
    }

    /**
     * What a reader may know of it.
     *
     * @param namespaces those of which the reader may see gangs and pods
     * @return the same without the names of gangs and pods of other namespaces
     */
    default Statement asSeen(Predicate<String> namespaces) {
        return this;
    }

    /** Words that name no gang or pod of a namespace other than that of the gang that they are about. */
    static Statement of(String words) {
        return new Words(words);
    }

    /**
     * A statement with what its money is in.
     *
     * @param what it is about
     * @param currency of its amounts
     */
    record Priced(Statement what, Currency currency) implements Statement {
        @Override
        public String message() {
            return what.message(currency);
        }

        @Override
        public Statement asSeen(Predicate<String> namespaces) {
            return new Priced(what.asSeen(namespaces), currency);
        }
    }

    /**
     * Words that everybody may read who may read about the gang.
     *
     * @param message in one line
     */
    record Words(String message) implements Statement {
        public Words {
            message = Shown.line(message);
        }
    }
}
