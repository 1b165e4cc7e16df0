-- oldest: 0.1.0
-- Who changed which item of content when, and who edits one now. The feed of content moves once for each
-- transaction, when it commits. Its version is the sum of 16 rows, so that writers do not wait for each other.
CREATE TABLE "content_change" (
    "id" SERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "item_id" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "author_id" INTEGER,
    "what" TEXT NOT NULL,
    "by_id" INTEGER,

    CONSTRAINT "content_change_pkey" PRIMARY KEY ("id")
);
CREATE TABLE "content_editor" (
    "item_id" INTEGER NOT NULL,
    "account_id" INTEGER NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "content_editor_pkey" PRIMARY KEY ("item_id","account_id")
);
CREATE INDEX "content_change_at_id_idx" ON "content_change"("at", "id");
CREATE INDEX "content_change_author_id_at_id_idx" ON "content_change"("author_id", "at", "id");
CREATE INDEX "content_change_by_id_idx" ON "content_change"("by_id");
CREATE INDEX "content_editor_account_id_idx" ON "content_editor"("account_id");
CREATE INDEX "content_editor_seen_at_idx" ON "content_editor"("seen_at");
ALTER TABLE "content_change" ADD CONSTRAINT "content_change_by_id_fkey" FOREIGN KEY ("by_id") REFERENCES "account"("id") ON DELETE SET NULL ON UPDATE CASCADE;
ALTER TABLE "content_change" ADD CONSTRAINT "content_change_author_id_fkey" FOREIGN KEY ("author_id") REFERENCES "account"("id") ON DELETE SET NULL ON UPDATE CASCADE;
ALTER TABLE "content_editor" ADD CONSTRAINT "content_editor_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "content_editor" ADD CONSTRAINT "content_editor_item_id_fkey" FOREIGN KEY ("item_id") REFERENCES "content_item"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE FUNCTION content_feed_moves() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO feed (name, version) VALUES ('content:' || pg_backend_pid() % 16, 1)
  ON CONFLICT (name) DO UPDATE SET version = feed.version + 1
    WHERE feed.xmin::text <> pg_current_xact_id()::xid::text;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER content_feed_moves AFTER INSERT ON "content_change"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION content_feed_moves();
