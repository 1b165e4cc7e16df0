-- Which items belong to large sets, such as a status or a term, as bits: a list that combines sets is counted without reading
-- their items. A set is read once it is whole. Writers note which items they changed, and never wait for each other here;
-- a job brings the bits up to date. Until then readers take noted items from the tables.
CREATE TABLE "item_set" (
    "name" TEXT COLLATE "C" NOT NULL,
    "made" INTEGER NOT NULL DEFAULT 0, -- the first part that is not made yet, until it is whole
    "whole" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "item_set_pkey" PRIMARY KEY ("name")
);

-- Bit n of a part is of the item with the id part * 2048 + n. A part without items has no row.
CREATE TABLE "item_set_part" (
    "name" TEXT COLLATE "C" NOT NULL,
    "part" INTEGER NOT NULL,
    "bits" BIT(2048) NOT NULL,

    CONSTRAINT "item_set_part_pkey" PRIMARY KEY ("name", "part")
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

CREATE TABLE "item_change" (
    "id" BIGINT GENERATED ALWAYS AS IDENTITY,
    "item_id" INTEGER NOT NULL,

    CONSTRAINT "item_change_pkey" PRIMARY KEY ("id")
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- The sets of each item. Weeks begin on Monday in UTC.
CREATE VIEW "item_member" AS
    SELECT p.id AS item_id, s.name FROM "content_item" p CROSS JOIN LATERAL (VALUES
        (p.kind || ' ' || p.status), ('format ' || p.format),
        ('week ' || to_char(date_trunc('week', p.published_at AT TIME ZONE 'UTC'), 'YYYY-MM-DD'))) s (name)
    UNION ALL SELECT item_id, 'term ' || term_id FROM "content_term";

CREATE FUNCTION item_change_noted() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO item_change (item_id) SELECT id FROM changed_items;
    RETURN NULL;
END $$;
CREATE FUNCTION item_change_updated() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO item_change (item_id) SELECT n.id FROM changed_items n JOIN old_items o USING (id)
    WHERE (n.kind, n.status, n.format, n.published_at) IS DISTINCT FROM (o.kind, o.status, o.format, o.published_at);
    RETURN NULL;
END $$;
CREATE FUNCTION item_change_filed() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO item_change (item_id) SELECT DISTINCT item_id FROM changed_pairs;
    RETURN NULL;
END $$;
-- A term that is gone is in no list, and its set goes: a million of its items are not noted.
CREATE FUNCTION item_change_unfiled() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO item_change (item_id) SELECT DISTINCT item_id FROM changed_pairs p
    WHERE EXISTS (SELECT FROM term t WHERE t.id = p.term_id);
    RETURN NULL;
END $$;
CREATE FUNCTION item_change_refiled() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO item_change (item_id) SELECT item_id FROM old_pairs UNION SELECT item_id FROM changed_pairs;
    RETURN NULL;
END $$;
CREATE FUNCTION item_change_truncated() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM item_set;
    DELETE FROM item_set_part;
    RETURN NULL;
END $$;

CREATE TRIGGER item_change_inserted AFTER INSERT ON "content_item" REFERENCING NEW TABLE AS changed_items
    FOR EACH STATEMENT EXECUTE FUNCTION item_change_noted();
CREATE TRIGGER item_change_updated AFTER UPDATE ON "content_item" REFERENCING OLD TABLE AS old_items NEW TABLE AS changed_items
    FOR EACH STATEMENT EXECUTE FUNCTION item_change_updated();
CREATE TRIGGER item_change_deleted AFTER DELETE ON "content_item" REFERENCING OLD TABLE AS changed_items
    FOR EACH STATEMENT EXECUTE FUNCTION item_change_noted();
CREATE TRIGGER item_change_truncated AFTER TRUNCATE ON "content_item" FOR EACH STATEMENT EXECUTE FUNCTION item_change_truncated();
CREATE TRIGGER item_change_filed AFTER INSERT ON "content_term" REFERENCING NEW TABLE AS changed_pairs
    FOR EACH STATEMENT EXECUTE FUNCTION item_change_filed();
CREATE TRIGGER item_change_refiled AFTER UPDATE ON "content_term" REFERENCING OLD TABLE AS old_pairs NEW TABLE AS changed_pairs
    FOR EACH STATEMENT EXECUTE FUNCTION item_change_refiled();
CREATE TRIGGER item_change_unfiled AFTER DELETE ON "content_term" REFERENCING OLD TABLE AS changed_pairs
    FOR EACH STATEMENT EXECUTE FUNCTION item_change_unfiled();
CREATE TRIGGER item_change_truncated AFTER TRUNCATE ON "content_term" FOR EACH STATEMENT EXECUTE FUNCTION item_change_truncated();
