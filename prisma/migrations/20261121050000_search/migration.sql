-- Search. PostgreSQL cannot count what contains a frequent word without reading every text that does, whatever the index on the
-- texts, since trigrams only say which texts may match. So the trigram index is on the words that there are, each once, and a narrow
-- table says which words stand in the texts of each item: that answers exactly, without reading a text.
-- Kept by a trigger, so that it follows every way of writing. Prisma cannot model any of it: see prisma/unmanaged.json.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- Every word that was ever written, in lower case. A word may stand here twice when two writers met it at once; both count.
CREATE TABLE "search_word" (
    "id" SERIAL PRIMARY KEY,
    "word" TEXT NOT NULL
);
-- Hashed, because words may be longer than entries of a B-tree.
CREATE INDEX "search_word_word_idx" ON "search_word" USING hash ("word");
CREATE INDEX "search_word_trigrams" ON "search_word" USING gin ("word" gin_trgm_ops);

-- What most searches ask about items, in rows of a third of the size.
CREATE TABLE "item_search" (
    "id" INTEGER PRIMARY KEY REFERENCES "content_item"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    "kind" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "author_id" INTEGER NOT NULL,
    "published_at" TIMESTAMPTZ(3) NOT NULL,
    "open" BOOLEAN NOT NULL,
    "title_words" INTEGER[] NOT NULL,
    "excerpt_words" INTEGER[] NOT NULL,
    "content_words" INTEGER[] NOT NULL
);
-- What is searched is not known when a search is planned: nobody would read statistics of words.
ALTER TABLE "item_search" ALTER COLUMN "title_words" SET STATISTICS 0, ALTER COLUMN "excerpt_words" SET STATISTICS 0,
    ALTER COLUMN "content_words" SET STATISTICS 0;
CREATE INDEX "item_search_published_at" ON "item_search"("kind", "status", "published_at", "id");
-- Without a list of pending entries, which every search would have to read through.
CREATE INDEX "item_search_words" ON "item_search" USING gin ("title_words", "excerpt_words", "content_words") WITH (fastupdate = off);

-- The ids of the words of a text, which learns those that are new: runs of anything but ASCII spaces and punctuation, in lower case
-- as ILIKE makes it. item-search.service.ts splits what is searched at the same characters. Without sequential scans, because a plan
-- made while there were few words would be kept.
CREATE FUNCTION "search_words"("content" TEXT) RETURNS INTEGER[] LANGUAGE plpgsql VOLATILE SET enable_seqscan TO off AS $$
DECLARE
    ids INTEGER[];
BEGIN
    WITH spelled AS (
        SELECT DISTINCT word FROM unnest(regexp_split_to_array(lower(content), '[\t\n\v\f\r !-/:-@[-`{-~]+')) word WHERE word <> ''
    ), known AS MATERIALIZED (
        SELECT word, (SELECT id FROM search_word WHERE search_word.word = spelled.word LIMIT 1) AS id FROM spelled
    ), learnt AS (
        INSERT INTO search_word (word) SELECT word FROM known WHERE id IS NULL RETURNING id
    )
    SELECT ARRAY(SELECT id FROM known WHERE id IS NOT NULL UNION ALL SELECT id FROM learnt) INTO ids;
    RETURN ids;
END
$$;

CREATE FUNCTION "follow_item"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO item_search VALUES (NEW.id, NEW.kind, NEW.status, NEW.author_id, NEW.published_at, NEW.password = '',
            search_words(NEW.title), search_words(NEW.excerpt), search_words(NEW.content));
    ELSE
        UPDATE item_search SET kind = NEW.kind, status = NEW.status, author_id = NEW.author_id, published_at = NEW.published_at,
            open = NEW.password = '',
            title_words = CASE WHEN NEW.title = OLD.title THEN title_words ELSE search_words(NEW.title) END,
            excerpt_words = CASE WHEN NEW.excerpt = OLD.excerpt THEN excerpt_words ELSE search_words(NEW.excerpt) END,
            content_words = CASE WHEN NEW.content = OLD.content THEN content_words ELSE search_words(NEW.content) END
        WHERE id = NEW.id;
    END IF;
    RETURN NULL;
END
$$;

INSERT INTO "item_search" SELECT "id", "kind", "status", "author_id", "published_at", "password" = '',
    search_words("title"), search_words("excerpt"), search_words("content") FROM "content_item" ORDER BY "id";

CREATE TRIGGER "content_item_search" AFTER INSERT OR UPDATE OF "kind", "status", "author_id", "published_at", "password",
    "title", "excerpt", "content" ON "content_item" FOR EACH ROW EXECUTE FUNCTION follow_item();
