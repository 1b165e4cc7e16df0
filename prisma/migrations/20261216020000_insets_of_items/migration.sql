-- oldest: 0.1.0
-- What an imported item brought along of what its content shows: embeds and reused blocks; null for none.
ALTER TABLE "content_item" ADD COLUMN "insets" JSONB;
