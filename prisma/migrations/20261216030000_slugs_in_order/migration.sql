-- oldest: 0.1.0
DROP INDEX CONCURRENTLY IF EXISTS "content_item_slug_order_idx";
CREATE INDEX CONCURRENTLY "content_item_slug_order_idx"
  ON "content_item"("kind", "status", translate(lower("slug"), '_-%', ' !"'), "id");
