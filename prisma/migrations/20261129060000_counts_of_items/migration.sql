-- How many items there are of a kind and status, and of each term (term_id 0: of all), as differences: their sum is the count.
-- A transaction adds rows and changes none, so that writers never wait for each other here. A job joins the rows.
CREATE TABLE "item_count" (
    "id" BIGINT GENERATED ALWAYS AS IDENTITY,
    "kind" TEXT COLLATE "C" NOT NULL,
    "status" TEXT COLLATE "C" NOT NULL,
    "term_id" INTEGER NOT NULL,
    "n" INTEGER NOT NULL,

    CONSTRAINT "item_count_pkey" PRIMARY KEY ("id")
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
CREATE INDEX "item_count_key" ON "item_count" ("kind", "status", "term_id") INCLUDE ("n");

-- As what each item was counted last.
CREATE TABLE "item_counted" (
    "item_id" INTEGER NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "status" TEXT COLLATE "C" NOT NULL,
    "terms" INTEGER[] NOT NULL,

    CONSTRAINT "item_counted_pkey" PRIMARY KEY ("item_id")
);

-- Has a row once all items were counted; until then the counts are not read.
CREATE TABLE "item_count_state" (
    "counted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);

-- Counts items as they are now, and returns how many had been counted as something else. It locks them: whoever changes one of
-- them at the same time is waited for, and seen. So the order in which it is called for an item does not matter.
CREATE FUNCTION item_recount(ids INTEGER[]) RETURNS INTEGER LANGUAGE plpgsql AS $$
DECLARE changed INTEGER;
BEGIN
    PERFORM FROM content_item WHERE id = ANY(ids) ORDER BY id FOR NO KEY UPDATE;
    -- Items that are gone have no row there.
    PERFORM FROM item_counted WHERE item_id = ANY(ids) ORDER BY item_id FOR UPDATE;
    WITH present AS (
        SELECT p.id, p.kind, p.status, ARRAY(SELECT term_id FROM content_term WHERE item_id = p.id ORDER BY term_id) AS terms
        FROM content_item p WHERE p.id = ANY(ids)
    ), counted AS (SELECT * FROM item_counted WHERE item_id = ANY(ids)
    ), differing AS (
        SELECT coalesce(p.id, c.item_id) AS item_id, p.kind, p.status, p.terms,
            c.kind AS old_kind, c.status AS old_status, c.terms AS old_terms
        FROM present p FULL JOIN counted c ON c.item_id = p.id
        WHERE (p.kind, p.status, p.terms) IS DISTINCT FROM (c.kind, c.status, c.terms)
    ), gone AS (DELETE FROM item_counted c USING differing d WHERE c.item_id = d.item_id AND d.kind IS NULL
    ), kept AS (
        INSERT INTO item_counted SELECT item_id, kind, status, terms FROM differing WHERE kind IS NOT NULL
        ON CONFLICT (item_id) DO UPDATE SET kind = excluded.kind, status = excluded.status, terms = excluded.terms
    ), added AS (
        INSERT INTO item_count (kind, status, term_id, n)
        SELECT kind, status, term_id, sum(n) FROM (
            SELECT kind, status, unnest(0 || terms) AS term_id, 1 AS n FROM differing WHERE kind IS NOT NULL
            UNION ALL SELECT old_kind, old_status, unnest(0 || old_terms), -1 FROM differing WHERE old_kind IS NOT NULL) d
        GROUP BY 1, 2, 3 HAVING sum(n) <> 0
    ) SELECT count(*) INTO changed FROM differing;
    RETURN changed;
END $$;

CREATE FUNCTION item_count_inserted() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    PERFORM item_recount(ARRAY(SELECT id FROM new_items));
    RETURN NULL;
END $$;
CREATE FUNCTION item_count_updated() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE ids INTEGER[];
BEGIN
    ids := ARRAY(SELECT id FROM new_items EXCEPT SELECT n.id FROM new_items n JOIN old_items o
        ON o.id = n.id AND o.kind = n.kind AND o.status = n.status);
    IF cardinality(ids) > 0 THEN PERFORM item_recount(ids); END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION item_count_deleted() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    PERFORM item_recount(ARRAY(SELECT id FROM old_items));
    RETURN NULL;
END $$;
CREATE FUNCTION item_count_filed() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    PERFORM item_recount(ARRAY(SELECT DISTINCT item_id FROM new_pairs));
    RETURN NULL;
END $$;
-- Of a term that is deleted nobody reads the count: a million of its items are not touched. What is deleted with its item is
-- counted there.
CREATE FUNCTION item_count_unfiled() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE ids INTEGER[];
BEGIN
    ids := ARRAY(SELECT DISTINCT item_id FROM old_pairs p WHERE EXISTS (SELECT FROM term t WHERE t.id = p.term_id));
    IF cardinality(ids) > 0 THEN PERFORM item_recount(ids); END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION item_count_refiled() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    PERFORM item_recount(ARRAY(SELECT item_id FROM old_pairs UNION SELECT item_id FROM new_pairs));
    RETURN NULL;
END $$;
CREATE FUNCTION item_count_truncated() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM item_count WHERE TG_TABLE_NAME = 'content_item' OR term_id <> 0;
    IF TG_TABLE_NAME = 'content_item' THEN DELETE FROM item_counted; ELSE UPDATE item_counted SET terms = '{}'; END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER item_count_inserted AFTER INSERT ON "content_item" REFERENCING NEW TABLE AS new_items
    FOR EACH STATEMENT EXECUTE FUNCTION item_count_inserted();
CREATE TRIGGER item_count_updated AFTER UPDATE ON "content_item" REFERENCING OLD TABLE AS old_items NEW TABLE AS new_items
    FOR EACH STATEMENT EXECUTE FUNCTION item_count_updated();
CREATE TRIGGER item_count_deleted AFTER DELETE ON "content_item" REFERENCING OLD TABLE AS old_items
    FOR EACH STATEMENT EXECUTE FUNCTION item_count_deleted();
CREATE TRIGGER item_count_truncated AFTER TRUNCATE ON "content_item" FOR EACH STATEMENT EXECUTE FUNCTION item_count_truncated();
CREATE TRIGGER item_count_filed AFTER INSERT ON "content_term" REFERENCING NEW TABLE AS new_pairs
    FOR EACH STATEMENT EXECUTE FUNCTION item_count_filed();
CREATE TRIGGER item_count_refiled AFTER UPDATE ON "content_term" REFERENCING OLD TABLE AS old_pairs NEW TABLE AS new_pairs
    FOR EACH STATEMENT EXECUTE FUNCTION item_count_refiled();
CREATE TRIGGER item_count_unfiled AFTER DELETE ON "content_term" REFERENCING OLD TABLE AS old_pairs
    FOR EACH STATEMENT EXECUTE FUNCTION item_count_unfiled();
CREATE TRIGGER item_count_truncated AFTER TRUNCATE ON "content_term" FOR EACH STATEMENT EXECUTE FUNCTION item_count_truncated();

-- The triggers hold writers off until the end of this transaction: nothing is uncounted of an empty table.
INSERT INTO "item_count_state" SELECT WHERE NOT EXISTS (SELECT FROM "content_item");
