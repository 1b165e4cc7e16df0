-- oldest: 0.1.0
-- Of an imported medium: the item of a model that it is attached to, and whether comments were open.
ALTER TABLE "media" ADD COLUMN "attachment" JSONB;
ALTER TABLE "media" ADD COLUMN "comments_open" BOOLEAN;
