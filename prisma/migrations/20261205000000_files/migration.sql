-- oldest: 0.1.0
-- Files of media in the storage, those that were announced to be sent, and those to delete.
CREATE TABLE "media_file" (
  "key" TEXT NOT NULL,
  "media_id" INTEGER NOT NULL,
  "name" TEXT NOT NULL,
  "mime_type" TEXT NOT NULL,
  "bytes" INTEGER NOT NULL,
  "sha256" TEXT NOT NULL,
  CONSTRAINT "media_file_pkey" PRIMARY KEY ("key"),
  CONSTRAINT "media_file_media_id_fkey" FOREIGN KEY ("media_id") REFERENCES "media"("id")
    ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "media_file_media_id_idx" ON "media_file"("media_id");

CREATE TABLE "upload" (
  "id" SERIAL NOT NULL,
  "account_id" INTEGER NOT NULL,
  "key" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "mime_type" TEXT NOT NULL,
  "bytes" INTEGER NOT NULL,
  "sha256" TEXT,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "used_at" TIMESTAMPTZ(3),
  CONSTRAINT "upload_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "upload_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id")
    ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "upload_key_key" ON "upload"("key");
CREATE INDEX "upload_account_id_idx" ON "upload"("account_id");
CREATE INDEX "upload_created_at_idx" ON "upload"("created_at");

CREATE TABLE "file_deletion" (
  "key" TEXT NOT NULL,
  "due_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "file_deletion_pkey" PRIMARY KEY ("key")
);
CREATE INDEX "file_deletion_due_at_idx" ON "file_deletion"("due_at");

-- Whoever deletes a medium, of whatever version: its files are deleted afterwards.
CREATE FUNCTION delete_files_later() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO file_deletion (key, due_at) SELECT key, now() FROM gone ON CONFLICT (key) DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER media_file_deleted AFTER DELETE ON media_file REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION delete_files_later();
