-- oldest: 0.1.0
DROP INDEX CONCURRENTLY IF EXISTS "content_item_slug_key";
CREATE UNIQUE INDEX CONCURRENTLY "content_item_slug_key" ON "content_item"("kind", COALESCE("parent_id", 0), "slug")
  WHERE "slug" <> '' AND "status" NOT IN ('draft', 'pending', 'auto-draft') AND "shares_slug" IS NOT TRUE;
DROP INDEX CONCURRENTLY IF EXISTS "content_item_address_key";
