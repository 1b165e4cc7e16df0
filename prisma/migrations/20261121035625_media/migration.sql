-- CreateTable
CREATE TABLE "media" (
    "id" INTEGER NOT NULL,
    "title" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "caption" TEXT NOT NULL DEFAULT '',
    "description" TEXT NOT NULL DEFAULT '',
    "alt_text" TEXT NOT NULL DEFAULT '',
    "mime_type" TEXT NOT NULL,
    "source_url" TEXT NOT NULL,
    "width" INTEGER NOT NULL DEFAULT 0,
    "height" INTEGER NOT NULL DEFAULT 0,
    "sizes" TEXT NOT NULL DEFAULT '[]',
    "author_id" INTEGER NOT NULL,
    "item_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "modified_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "media_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "media_slug_key" ON "media"("slug");

-- CreateIndex
CREATE INDEX "media_created_at_id_idx" ON "media"("created_at", "id");

-- CreateIndex
CREATE INDEX "media_item_id_idx" ON "media"("item_id");

-- CreateIndex
CREATE INDEX "media_author_id_idx" ON "media"("author_id");

-- CreateIndex
CREATE INDEX "content_item_featured_idx" ON "content_item"("featured_media_id") WHERE "featured_media_id" <> 0;

-- AddForeignKey
ALTER TABLE "media" ADD CONSTRAINT "media_author_id_fkey" FOREIGN KEY ("author_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "media" ADD CONSTRAINT "media_item_id_fkey" FOREIGN KEY ("item_id") REFERENCES "content_item"("id") ON DELETE SET NULL ON UPDATE CASCADE;
