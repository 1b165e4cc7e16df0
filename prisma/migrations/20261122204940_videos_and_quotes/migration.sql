-- CreateTable
CREATE TABLE "video" (
    "id" SERIAL NOT NULL,
    "title" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "url" TEXT NOT NULL,
    "duration_seconds" INTEGER NOT NULL,
    "language_code" TEXT NOT NULL,
    "captions" JSONB NOT NULL DEFAULT '[]',
    "thumbnail_url" TEXT,
    "published_at" TIMESTAMPTZ(3) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "video_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "quote" (
    "id" SERIAL NOT NULL,
    "text" TEXT NOT NULL,
    "author" TEXT,
    "language_code" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "quote_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "video_published_at_id_idx" ON "video"("published_at", "id");

-- CreateIndex
CREATE INDEX "quote_language_code_id_idx" ON "quote"("language_code", "id");
