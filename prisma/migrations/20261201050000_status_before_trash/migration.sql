-- The status that an item had before it went to the trash; null elsewhere, and of what went there before this migration. A
-- trigger keeps it, so that it is also right of what a process of the version before moves.
ALTER TABLE "content_item" ADD COLUMN "trashed_from" TEXT;

CREATE FUNCTION content_item_trashed() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    NEW.trashed_from := CASE NEW.status WHEN 'trash' THEN OLD.status END;
    RETURN NEW;
END $$;
CREATE TRIGGER content_item_trashed BEFORE UPDATE OF status ON "content_item" FOR EACH ROW
    WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION content_item_trashed();
