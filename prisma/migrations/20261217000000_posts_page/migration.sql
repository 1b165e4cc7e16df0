-- oldest: 0.1.0
-- The page that lists posts; null where there is none.
ALTER TABLE "site" ADD COLUMN "posts_page_id" INTEGER;

-- A page that goes to the trash, or is deleted, is neither the front page nor the page of posts any more, as in the original.
CREATE OR REPLACE FUNCTION front_page_gone() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    UPDATE site SET front_page_id = nullif(front_page_id, OLD.id), posts_page_id = nullif(posts_page_id, OLD.id)
    WHERE OLD.id IN (front_page_id, posts_page_id);
    RETURN NULL;
END $$;
