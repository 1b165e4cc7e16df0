-- oldest: 0.1.0
-- The page that has the address of the site; null where it lists posts.
ALTER TABLE "site" ADD COLUMN "front_page_id" INTEGER;

-- A page that goes to the trash, or is deleted, is the front page no more, as in the original: the settings of the site are
-- read for every request, and need no look at content.
CREATE FUNCTION front_page_gone() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    UPDATE site SET front_page_id = NULL WHERE front_page_id = OLD.id;
    RETURN NULL;
END $$;
CREATE TRIGGER front_page_trashed AFTER UPDATE OF status ON content_item FOR EACH ROW
    WHEN (NEW.status = 'trash' AND OLD.status <> 'trash') EXECUTE FUNCTION front_page_gone();
CREATE TRIGGER front_page_deleted AFTER DELETE ON content_item FOR EACH ROW EXECUTE FUNCTION front_page_gone();
