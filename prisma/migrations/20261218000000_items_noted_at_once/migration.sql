-- oldest: 0.1.0
-- Words of texts are found for all rows of a statement at once, and so are the notes of reports: row by row they were most
-- of what an imported post cost PostgreSQL.

-- The numbers of the words of each text, by its place. What stands between blanks is folded and parted once, however
-- often it stands in these texts: its folding needs no neighbours, and makes no line feed.
CREATE FUNCTION words_of_texts(texts TEXT[]) RETURNS TABLE ("place" BIGINT, "ids" INTEGER[]) LANGUAGE plpgsql VOLATILE
    SET enable_seqscan TO off SET enable_nestloop TO off SET enable_mergejoin TO off SET enable_sort TO off
    SET jit TO off AS $$
BEGIN
    RETURN QUERY
    WITH part AS MATERIALIZED (
        SELECT DISTINCT given.place, piece
        FROM unnest(texts) WITH ORDINALITY given(content, place), string_to_table(replace(content, E'\n', ' '), ' ') piece
        WHERE piece <> ''
    ), different AS MATERIALIZED (
        SELECT piece, octet_length(piece) = length(piece) AS ascii FROM part GROUP BY piece
    ), further AS (
        SELECT array_agg(piece) AS pieces, string_to_array(folded(string_agg(piece, E'\n')), E'\n') AS bares
        FROM different WHERE NOT ascii
    ), bare AS (
        SELECT piece, lower(piece COLLATE "C") AS bare FROM different WHERE ascii
        UNION ALL SELECT pair.* FROM further, unnest(pieces, bares) pair
    ), spelled AS MATERIALIZED (
        SELECT piece, bare AS word FROM bare WHERE bare <> '' AND bare !~ '[\t\n\v\f\r !-/:-@[-`{-~]'
        UNION ALL
        SELECT piece, word FROM bare, unnest(regexp_split_to_array(bare, '[\t\n\v\f\r !-/:-@[-`{-~]+')) word
        WHERE bare ~ '[\t\n\v\f\r !-/:-@[-`{-~]' AND word <> ''
    ), known AS MATERIALIZED (
        SELECT word, (SELECT id FROM search_word WHERE search_word.word = once.word LIMIT 1) AS id
        FROM (SELECT DISTINCT word FROM spelled) once
    ), learnt AS (
        INSERT INTO search_word (word) SELECT word FROM known WHERE id IS NULL RETURNING id, word
    ), numbered AS (
        SELECT word, id FROM known WHERE id IS NOT NULL UNION ALL SELECT word, id FROM learnt
    )
    SELECT known.place, array_agg(id) FROM (
        SELECT DISTINCT part.place, id FROM part JOIN spelled USING (piece) JOIN numbered USING (word)) known GROUP BY known.place;
END
$$;
CREATE OR REPLACE FUNCTION search_words(content TEXT) RETURNS INTEGER[] LANGUAGE sql VOLATILE AS $$
    SELECT coalesce((SELECT ids FROM words_of_texts(ARRAY[content])), '{}')
$$;

-- A mebibyte of texts at a time, so that a copy of a million items needs no more. FETCH brings one row; FOR would bring fifty.
CREATE FUNCTION items_made() RETURNS TRIGGER LANGUAGE plpgsql SET enable_nestloop TO off
    SET enable_hashagg TO off SET jit TO off AS $$
DECLARE
    slices CURSOR FOR
        SELECT count(*) AS items, array_agg(id) AS ids, array_agg(kind) AS kinds, array_agg(status) AS states,
            array_agg(author_id) AS authors, array_agg(published_at) AS moments, array_agg(password = '') AS opens,
            array_agg(title) || array_agg(excerpt) || array_agg(content) AS texts
        FROM (SELECT *, sum(octet_length(title) + octet_length(excerpt) + octet_length(content)) OVER (ORDER BY id) >> 20 AS turn
            FROM made) m
        GROUP BY turn ORDER BY turn;
    slice RECORD;
BEGIN
    OPEN slices;
    LOOP
        FETCH slices INTO slice;
        EXIT WHEN NOT FOUND;
        WITH words AS MATERIALIZED (SELECT * FROM words_of_texts(slice.texts))
        INSERT INTO item_search
        SELECT item.id, kind, status, author_id, published_at, open,
            coalesce(title.ids, '{}'), coalesce(excerpt.ids, '{}'), coalesce(content.ids, '{}')
        FROM unnest(slice.ids, slice.kinds, slice.states, slice.authors, slice.moments, slice.opens)
            WITH ORDINALITY item(id, kind, status, author_id, published_at, open, place)
        LEFT JOIN words title ON title.place = item.place
        LEFT JOIN words excerpt ON excerpt.place = item.place + slice.items
        LEFT JOIN words content ON content.place = item.place + 2 * slice.items;
    END LOOP;
    CLOSE slices;
    RETURN NULL;
END
$$;
CREATE OR REPLACE FUNCTION follow_item() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    UPDATE item_search SET kind = NEW.kind, status = NEW.status, author_id = NEW.author_id, published_at = NEW.published_at,
        open = NEW.password = '',
        title_words = CASE WHEN NEW.title = OLD.title THEN title_words ELSE search_words(NEW.title) END,
        excerpt_words = CASE WHEN NEW.excerpt = OLD.excerpt THEN excerpt_words ELSE search_words(NEW.excerpt) END,
        content_words = CASE WHEN NEW.content = OLD.content THEN content_words ELSE search_words(NEW.content) END
    WHERE id = NEW.id;
    RETURN NULL;
END
$$;
CREATE FUNCTION report_items_made() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    PERFORM report_note_all('content', array_agg(id), array_agg(month)) FROM (
        SELECT DISTINCT id, date_trunc('month', published_at AT TIME ZONE 'UTC' + day)::date AS month
        FROM made, unnest('{-1 day,1 day}'::interval[]) AS day) noted;
    RETURN NULL;
END $$;

DROP TRIGGER "content_item_search" ON "content_item";
CREATE TRIGGER "content_item_search" AFTER INSERT ON "content_item" REFERENCING NEW TABLE AS made
    FOR EACH STATEMENT EXECUTE FUNCTION items_made();
CREATE TRIGGER "content_item_search_changed" AFTER UPDATE OF "kind", "status", "author_id", "published_at", "password",
    "title", "excerpt", "content" ON "content_item" FOR EACH ROW EXECUTE FUNCTION follow_item();
DROP TRIGGER "report_content" ON "content_item";
CREATE TRIGGER "report_content" AFTER INSERT ON "content_item" REFERENCING NEW TABLE AS made
    FOR EACH STATEMENT EXECUTE FUNCTION report_items_made();
CREATE TRIGGER "report_content_changed" AFTER DELETE OR UPDATE OF "status", "published_at", "kind", "format", "revision_count"
    ON "content_item" FOR EACH ROW EXECUTE FUNCTION report_row_changed('content');

-- Each session keeps its plan, and one of when there were few items reads all of them, also when there are many.
ALTER FUNCTION item_recount(INTEGER[]) SET enable_seqscan TO off;
