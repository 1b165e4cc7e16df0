-- Whom a stored deletion tells of: accounts, keys and hashes of addresses. Their erasure deletes it. What a process of the
-- version before stores has none, and is deleted after a day.
ALTER TABLE "idempotent_change" ADD COLUMN "about" TEXT[] DEFAULT ARRAY[]::TEXT[];
CREATE INDEX "idempotent_change_about" ON "idempotent_change" USING gin ("about") WHERE "about" <> '{}';
