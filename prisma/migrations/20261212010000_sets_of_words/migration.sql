-- oldest: 0.1.0
-- Sets of the items with a common word in their title, excerpt or content, such as "word 17" (search_word), of those with one
-- in their title, "title 17", and of the protected items, "shut": a search for common words is counted, and its best finds are
-- listed first, without reading all that it finds.
ALTER TABLE "item_set" ADD COLUMN "word_id" INTEGER;

CREATE OR REPLACE VIEW "item_member" AS
    SELECT p.id AS item_id, s.name FROM "content_item" p CROSS JOIN LATERAL (VALUES
        (p.kind || ' ' || p.status), ('format ' || p.format),
        ('week ' || to_char(date_trunc('week', p.published_at AT TIME ZONE 'UTC'), 'YYYY-MM-DD'))) s (name)
    UNION ALL SELECT item_id, 'term ' || term_id FROM "content_term"
    UNION ALL SELECT id, 'shut' FROM "item_search" WHERE NOT open
    UNION ALL SELECT s.id, 'word ' || word FROM "item_search" s CROSS JOIN LATERAL unnest(title_words || excerpt_words || content_words) word
        JOIN "item_set" k ON k.word_id = word AND k.name LIKE 'word %'
    UNION ALL SELECT s.id, 'title ' || word FROM "item_search" s CROSS JOIN LATERAL unnest(title_words) word
        JOIN "item_set" k ON k.word_id = word AND k.name LIKE 'title %';

-- The search follows an item in the same transaction: new items and those that go are noted with the item.
CREATE FUNCTION item_change_reworded() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO item_change (item_id) SELECT n.id FROM changed_items n JOIN old_items o USING (id)
    WHERE (n.title_words, n.excerpt_words, n.content_words, n.open)
        IS DISTINCT FROM (o.title_words, o.excerpt_words, o.content_words, o.open);
    RETURN NULL;
END $$;
CREATE TRIGGER item_change_reworded AFTER UPDATE ON "item_search" REFERENCING OLD TABLE AS old_items NEW TABLE AS changed_items
    FOR EACH STATEMENT EXECUTE FUNCTION item_change_reworded();
