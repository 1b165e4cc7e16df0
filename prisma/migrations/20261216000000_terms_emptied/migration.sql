-- oldest: 0.1.0
-- A term that many items have loses them in parts before it goes (`emptyTerm` of term-deletion.service.ts).
-- Nobody is to read their counts then, as when the term is gone already.
CREATE OR REPLACE FUNCTION item_count_unfiled() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE ids INTEGER[];
BEGIN
    IF current_setting('care.emptying', true) = 'on' THEN RETURN NULL; END IF;
    ids := ARRAY(SELECT DISTINCT item_id FROM old_pairs p WHERE EXISTS (SELECT FROM term t WHERE t.id = p.term_id));
    IF cardinality(ids) > 0 THEN PERFORM item_recount(ids); END IF;
    RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION item_change_unfiled() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('care.emptying', true) = 'on' THEN RETURN NULL; END IF;
    INSERT INTO item_change (item_id) SELECT DISTINCT item_id FROM changed_pairs p
    WHERE EXISTS (SELECT FROM term t WHERE t.id = p.term_id);
    RETURN NULL;
END $$;
