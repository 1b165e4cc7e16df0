-- oldest: 0.1.0
-- Imported pages keep the number of a parent that is gone, as the original shows it. What is below a page
-- that is deleted here still goes to the top, where the service has not moved it before.
ALTER TABLE "content_item" DROP CONSTRAINT "content_item_parent_id_fkey";
CREATE FUNCTION item_parent_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "content_item" SET "parent_id" = NULL WHERE "parent_id" IN (SELECT "id" FROM old_items);
    RETURN NULL;
END
$$;
CREATE TRIGGER item_parent_deleted AFTER DELETE ON "content_item" REFERENCING OLD TABLE AS old_items
    FOR EACH STATEMENT EXECUTE FUNCTION item_parent_deleted();
