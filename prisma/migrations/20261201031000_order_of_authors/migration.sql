-- Items in the order of their authors are read by the index of authors, and not all sorted. It is made in a second or two for a
-- million items; writers wait meanwhile.
CREATE INDEX "content_item_author_id_kind_status_id_idx" ON "content_item"("author_id", "kind", "status", "id");
DROP INDEX "content_item_author_id_kind_status_idx";
