-- oldest: 0.1.0
-- The page that has the address of the site; null where it lists posts.
ALTER TABLE "site" ADD COLUMN "front_page_id" INTEGER;
