-- Drafts and pending items keep the slug that they have, taken or not: it is made free when they are published.
DROP INDEX "content_item_address_key";
CREATE UNIQUE INDEX "content_item_address_key" ON "content_item"("kind", COALESCE("parent_id", 0), "slug")
    WHERE "slug" <> '' AND "status" NOT IN ('draft', 'pending', 'auto-draft');
