-- oldest: 0.1.0
-- True of an imported item that has the slug of an older one: the unique index leaves it out. Others have null or false.
ALTER TABLE "content_item" ADD COLUMN "shares_slug" BOOLEAN;
