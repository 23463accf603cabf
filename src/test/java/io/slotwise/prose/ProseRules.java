package io.slotwise.prose;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The rules of the project's prose: {@code opening}, {@code start}, {@code words}, {@code history}, {@code long},
 * {@code chain} and {@code paragraph}. CONTRIBUTING.md has a table of them.
 */
final class ProseRules {
    private static final int MOST_WORDS = 35;
    private static final int MOST_CHARACTERS = 600;

    private static final Set<String> NO_START = Set.of("Whether", "Whom", "Whose", "Of", "Who");
    private static final Set<String> NO_OPENING_OF_A_COMMENT =
            Set.of("What", "Whether", "Whom", "Whose", "How", "Those", "Who", "Of", "Which");
    private static final Set<String> NO_OPENING_OF_A_JAVADOC = Set.of(
            "What", "Whether", "Whom", "Whose", "How", "Those", "Who", "Of", "Which", "It", "One", "Why", "Where",
            "When");

    private static final Pattern END_OF_SENTENCE = Pattern.compile("[.!?][\"')\\]]*\\s+(?=[\"'(\\[]*[A-Z0-9])");
    private static final Pattern ABBREVIATION =
            Pattern.compile("\\b(?:e\\.g|i\\.e|cf|vs|etc|al|Sec|Fig|Eq|Nos?|pp?|resp|approx|Dr|St|[A-Z])\\.$");
    private static final Pattern FIRST_WORD = Pattern.compile("^\\W*([A-Za-z]+)(?!\\w)");
    private static final Pattern QUESTION = Pattern.compile("\\?[\"')]*$");
    private static final Pattern SOURCE = Pattern.compile("^(?:Sources?|Units|See)\\b[^.]{0,20}:");
    private static final Pattern LINK_OF_A_CHAIN = Pattern.compile("[;:]\\s");
    private static final Pattern SPACE = Pattern.compile("\\s+");

    private final List<Word> words;

    private ProseRules(List<Word> words) {
        this.words = words;
    }

    /** Reads the rules about words from a file with a rule, an expression and an advice in each line. */
    static ProseRules read(Path file) throws IOException {
        List<Word> words = Files.readAllLines(file).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(line -> line.split("\t", -1))
                .map(columns -> new Word(
                        columns[0],
                        Pattern.compile("\\b(?:" + columns[1] + ")(?!\\w)", Pattern.CASE_INSENSITIVE),
                        columns[2]))
                .toList();
        return new ProseRules(words);
    }

    List<Finding> check(Paragraph paragraph) {
        List<Finding> found = new ArrayList<>();
        boolean document = paragraph.kind() == Paragraph.Kind.DOCUMENT || paragraph.kind() == Paragraph.Kind.CELL;
        if (document && paragraph.length() > MOST_CHARACTERS) {
            found.add(new Finding(
                    "paragraph",
                    paragraph.line(),
                    "%d characters, more than %d: split or shorten the paragraph"
                            .formatted(paragraph.length(), MOST_CHARACTERS),
                    paragraph.text()));
        }
        List<String> sentences = sentences(paragraph.text());
        for (int i = 0; i < sentences.size(); i++) {
            String sentence = sentences.get(i);
            if (!document) {
                checkFirstWord(paragraph, sentence, i == 0 && paragraph.opening(), found);
            }
            checkWords(paragraph, sentence, found);
            if (!SOURCE.matcher(sentence).find()) {
                checkLength(paragraph, sentence, found);
            }
        }
        return found;
    }

    /** Splits a paragraph after full stops that are followed by a capital or a digit and end no abbreviation. */
    static List<String> sentences(String paragraph) {
        List<String> sentences = new ArrayList<>();
        int begin = 0;
        Matcher end = END_OF_SENTENCE.matcher(paragraph);
        while (end.find()) {
            String before = paragraph.substring(begin, end.start() + 1);
            if (!ABBREVIATION.matcher(before).find()) {
                sentences.add(paragraph.substring(begin, end.end()).strip());
                begin = end.end();
            }
        }
        if (begin < paragraph.length()) {
            sentences.add(paragraph.substring(begin).strip());
        }
        return sentences;
    }

    private static void checkFirstWord(Paragraph paragraph, String sentence, boolean opening, List<Finding> found) {
        Matcher first = FIRST_WORD.matcher(sentence);
        String word = first.find() ? first.group(1) : "";
        Set<String> forbidden =
                paragraph.kind() == Paragraph.Kind.JAVADOC ? NO_OPENING_OF_A_JAVADOC : NO_OPENING_OF_A_COMMENT;
        if (opening && forbidden.contains(word)) {
            found.add(new Finding(
                    "opening",
                    paragraph.line(),
                    "begins with '%s': say what the thing is (\"The nodes that ...\") or does (\"Returns whether ...\")"
                            .formatted(word),
                    sentence));
        } else if (NO_START.contains(word) && !QUESTION.matcher(sentence).find()) {
            found.add(new Finding(
                    "start", paragraph.line(), "begins with '%s': begin with the subject".formatted(word), sentence));
        }
    }

    private void checkWords(Paragraph paragraph, String sentence, List<Finding> found) {
        for (Word word : words) {
            Matcher matcher = word.expression().matcher(sentence);
            while (matcher.find()) {
                String message = "'%s'; write: %s".formatted(matcher.group(), word.advice());
                found.add(new Finding(word.rule(), paragraph.line(), message, sentence));
            }
        }
    }

    private static void checkLength(Paragraph paragraph, String sentence, List<Finding> found) {
        int count = SPACE.split(sentence).length;
        if (count > MOST_WORDS) {
            found.add(new Finding(
                    "long",
                    paragraph.line(),
                    "%d words, more than %d: one thought a sentence".formatted(count, MOST_WORDS),
                    sentence));
        }
        int mostLinks = paragraph.kind() == Paragraph.Kind.CELL ? 2 : 1;
        if (LINK_OF_A_CHAIN.matcher(sentence).results().count() > mostLinks) {
            found.add(new Finding(
                    "chain", paragraph.line(), "a chain of colons or semicolons: write sentences or a list", sentence));
        }
    }

    private record Word(String rule, Pattern expression, String advice) {}
}
