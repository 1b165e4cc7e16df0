-- Slugs, searches, the directory and all keys are folded by one rule, `fold` in src/core/folding.ts. The words of
-- items are read by a trigger, so the database knows the rule too; a test compares both over all of Unicode.

-- Returns the form in which texts are compared: lower case, without what Unicode's collation ignores at its first level, Latin
-- ligatures as two letters, kana as large hiragana, digits as 0 to 9. In steps, because most texts need few of them.
CREATE FUNCTION "folded"("content" TEXT) RETURNS TEXT LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
    bare TEXT;
BEGIN
    IF octet_length(content) = length(content) THEN
        RETURN lower(content);
    END IF;
    bare := normalize(regexp_replace(normalize(content, NFKD),
        '[\u00ad\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1-\u05c2\u05c4-\u05c5\u05c7\u0610-\u061a'
        '\u061c\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7-\u06e8\u06ea-\u06ed\u0711'
        '\u0730-\u074a\u0900-\u0903\u093c\u0951-\u0954\u0981-\u0983\u09bc\u0a01-\u0a03\u0a3c\u0a70-\u0a71'
        '\u0a81-\u0a83\u0abc\u0b01-\u0b03\u0b3c\u0b82\u0c00-\u0c04\u0c3c\u0c81-\u0c83\u0cbc\u0d00-\u0d03'
        '\u0d81-\u0d83\u0e47-\u0e4e\u0ec8-\u0ece\u0f35\u0f37\u0f39\u0f7e-\u0f7f\u0f82-\u0f83\u1036-\u1038'
        '\u135d-\u135f\u17c6-\u17d1\u17d3\u17dd\u180b-\u180f\u1ab0-\u1aff\u1cd0-\u1cd2\u1cd4-\u1ce0'
        '\u1ce2-\u1ce8\u1ced\u1cf4\u1cf8-\u1cf9\u1dc0-\u1dff\u200b-\u200f\u202a-\u202e\u2060-\u2064'
        '\u2066-\u2069\u20d0-\u20f0\u302a-\u302d\u3099-\u309a\ufe00-\ufe0f\ufe20-\ufe2f\ufeff'
        '\U000e0100-\U000e01ef]+', '', 'g'), NFC);
    bare := lower(bare);
    -- A database with the locale C knows the case of ASCII alone.
    IF lower('Ж') <> 'ж' THEN
        bare := translate(bare, 'ÆŒØŁĐÐÞĦŊŦƁƑƗƏΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЂЄЅІЈЉЊЋЏҐ'
            'ԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖ',
            'æœøłđðþħŋŧɓƒɨəαβγδεζηθικλμνξοπρστυφχψωабвгдежзиклмнопрстуфхцчшщъыьэюяђєѕіјљњћџґ'
            'աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆ');
    END IF;
    IF bare ~ '[ßæœþ]' THEN
        bare := replace(replace(replace(replace(bare, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
    END IF;
    IF bare ~ '[øłđðħıĸŋŧƀɓƒɨəςぁ-ヶ٠-٩۰-۹०-९০-৯੦-੯૦-૯୦-୯௦-௯౦-౯೦-೯൦-൯๐-๙໐-໙༠-༩၀-၉០-៩]' THEN
        bare := translate(bare,
            'øłđðħıĸŋŧƀɓƒɨəς'
            'ァアィイゥウェエォオカキクケコサシスセソタチッツテトナニヌネノハヒフヘホ'
            'マミムメモャヤュユョヨラリルレロヮワヰヱヲンヵヶ'
            'ぁぃぅぇぉっゃゅょゎゕゖ'
            '٠١٢٣٤٥٦٧٨٩'
            '۰۱۲۳۴۵۶۷۸۹'
            '०१२३४५६७८९'
            '০১২৩৪৫৬৭৮৯'
            '੦੧੨੩੪੫੬੭੮੯'
            '૦૧૨૩૪૫૬૭૮૯'
            '୦୧୨୩୪୫୬୭୮୯'
            '௦௧௨௩௪௫௬௭௮௯'
            '౦౧౨౩౪౫౬౭౮౯'
            '೦೧೨೩೪೫೬೭೮೯'
            '൦൧൨൩൪൫൬൭൮൯'
            '๐๑๒๓๔๕๖๗๘๙'
            '໐໑໒໓໔໕໖໗໘໙'
            '༠༡༢༣༤༥༦༧༨༩'
            '၀၁၂၃၄၅၆၇၈၉'
            '០១២៣៤៥៦៧៨៩',
            'olddhikntbbfieσ'
            'ああいいううええおおかきくけこさしすせそたちつつてとなにぬねのはひふへほ'
            'まみむめもややゆゆよよらりるれろわわゐゑをんかけ'
            'あいうえおつやゆよわかけ'
            '0123456789'
            '0123456789'
            '0123456789'
            '0123456789'
            '0123456789'
            '0123456789'
            '0123456789'
            '0123456789'
            '0123456789'
            '0123456789'
            '0123456789'
            '0123456789'
            '0123456789'
            '0123456789'
            '0123456789'
            '0123456789');
    END IF;
    RETURN bare;
END
$$;

-- As before, of folded texts: what accents and marks the writer used does not count.
CREATE OR REPLACE FUNCTION "search_words"("content" TEXT) RETURNS INTEGER[] LANGUAGE plpgsql VOLATILE SET enable_seqscan TO off AS $$
DECLARE
    ids INTEGER[];
BEGIN
    WITH spelled AS (
        SELECT DISTINCT word FROM unnest(regexp_split_to_array(folded(content), '[\t\n\v\f\r !-/:-@[-`{-~]+')) word WHERE word <> ''
    ), known AS MATERIALIZED (
        SELECT word, (SELECT id FROM search_word WHERE search_word.word = spelled.word LIMIT 1) AS id FROM spelled
    ), learnt AS (
        INSERT INTO search_word (word) SELECT word FROM known WHERE id IS NULL RETURNING id
    )
    SELECT ARRAY(SELECT id FROM known WHERE id IS NOT NULL UNION ALL SELECT id FROM learnt) INTO ids;
    RETURN ids;
END
$$;

-- Items keep the numbers of their words, since a word may stand in the list twice: only the list and the keys are rewritten.
UPDATE "search_word" SET "word" = folded("word")
    WHERE octet_length("word") > length("word") AND "word" <> folded("word");
-- Each statement on items, terms and types says that public content has changed: none where nothing does.
DO $$
BEGIN
    IF EXISTS (SELECT FROM "content_item"
        WHERE octet_length("title_key") > length("title_key") AND "title_key" <> folded("title_key")) THEN
        UPDATE "content_item" SET "title_key" = folded("title_key")
            WHERE octet_length("title_key") > length("title_key") AND "title_key" <> folded("title_key");
    END IF;
    IF EXISTS (SELECT FROM "term"
        WHERE octet_length("name_key") > length("name_key") AND "name_key" <> folded("name_key")) THEN
        UPDATE "term" SET "name_key" = folded("name_key")
            WHERE octet_length("name_key") > length("name_key") AND "name_key" <> folded("name_key");
    END IF;
    IF EXISTS (SELECT FROM "service_type"
        WHERE octet_length("name_key") > length("name_key") AND "name_key" <> folded("name_key")) THEN
        UPDATE "service_type" SET "name_key" = folded("name_key")
            WHERE octet_length("name_key") > length("name_key") AND "name_key" <> folded("name_key");
    END IF;
END
$$;
UPDATE "service_search" SET "name_key" = folded("name_key"),
    "words" = array_to_tsvector(ARRAY(SELECT DISTINCT folded(word) FROM unnest(tsvector_to_array("words")) word WHERE folded(word) <> ''))
    WHERE octet_length("words"::text) > length("words"::text);
UPDATE "model_item" SET "keys" = (
        SELECT jsonb_object_agg(key, CASE jsonb_typeof(value) WHEN 'string' THEN to_jsonb(folded(value #>> '{}')) ELSE value END)
        FROM jsonb_each("keys"))
    WHERE octet_length("keys"::text) > length("keys"::text);
