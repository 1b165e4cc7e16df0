-- oldest: 0.1.0
-- What the root of an imported site said of its zone and its front page, and what was made of it.
ALTER TABLE "site" ADD COLUMN "said" JSONB;
