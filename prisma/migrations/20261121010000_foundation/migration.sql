-- CreateTable
CREATE TABLE "account" (
    "id" SERIAL NOT NULL,
    "username" TEXT NOT NULL,
    "username_key" TEXT COLLATE "C" NOT NULL,
    "email" TEXT NOT NULL,
    "email_key" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "url" TEXT NOT NULL DEFAULT '',
    "description" TEXT NOT NULL DEFAULT '',
    "password_hash" TEXT,
    "roles" TEXT[],
    "language_id" INTEGER NOT NULL DEFAULT 1,
    "time_zone" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "account_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "language" (
    "id" SERIAL NOT NULL,
    "code" TEXT NOT NULL,
    "name" TEXT NOT NULL,

    CONSTRAINT "language_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "session" (
    "id" UUID NOT NULL,
    "account_id" INTEGER NOT NULL,
    "counter" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "used_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "application_password" (
    "id" UUID NOT NULL,
    "account_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "application_password_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "site" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "title" TEXT NOT NULL,
    "tagline" TEXT NOT NULL,
    "time_zone" TEXT NOT NULL DEFAULT 'UTC',
    "default_category_id" INTEGER NOT NULL,

    CONSTRAINT "site_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "term" (
    "id" SERIAL NOT NULL,
    "taxonomy" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "name_key" TEXT COLLATE "C" NOT NULL,
    "slug" TEXT COLLATE "C" NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "parent_id" INTEGER,

    CONSTRAINT "term_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "content_item" (
    "id" SERIAL NOT NULL,
    "kind" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "title_key" TEXT COLLATE "C" NOT NULL,
    "title_rendered" TEXT NOT NULL,
    "content" TEXT NOT NULL,
    "content_rendered" TEXT NOT NULL,
    "excerpt" TEXT NOT NULL,
    "excerpt_rendered" TEXT NOT NULL,
    "rendering" INTEGER NOT NULL,
    "block_version" INTEGER NOT NULL DEFAULT 0,
    "slug" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "password" TEXT NOT NULL DEFAULT '',
    "author_id" INTEGER NOT NULL,
    "published_at" TIMESTAMPTZ(3) NOT NULL,
    "floating" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified_at" TIMESTAMPTZ(3) NOT NULL,
    "comments_open" BOOLEAN NOT NULL,
    "pings_open" BOOLEAN NOT NULL,
    "sticky" BOOLEAN NOT NULL DEFAULT false,
    "format" TEXT NOT NULL DEFAULT 'standard',
    "template" TEXT NOT NULL DEFAULT '',
    "footnotes" TEXT NOT NULL DEFAULT '',
    "featured_media_id" INTEGER NOT NULL DEFAULT 0,
    "parent_id" INTEGER,
    "menu_order" INTEGER NOT NULL DEFAULT 0,
    "guid" TEXT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "revision_count" INTEGER NOT NULL DEFAULT 0,
    "latest_revision_id" INTEGER,

    CONSTRAINT "content_item_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "content_term" (
    "item_id" INTEGER NOT NULL,
    "term_id" INTEGER NOT NULL,

    CONSTRAINT "content_term_pkey" PRIMARY KEY ("item_id","term_id")
);

-- CreateTable
CREATE TABLE "revision" (
    "id" SERIAL NOT NULL,
    "item_id" INTEGER NOT NULL,
    "author_id" INTEGER NOT NULL,
    "autosave" BOOLEAN NOT NULL DEFAULT false,
    "title" TEXT NOT NULL,
    "content" TEXT NOT NULL,
    "excerpt" TEXT NOT NULL,
    "footnotes" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "modified_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "revision_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotent_change" (
    "account_id" INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "hash" TEXT NOT NULL,
    "row_id" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotent_change_pkey" PRIMARY KEY ("account_id","key","ordinal")
);

-- CreateIndex
CREATE UNIQUE INDEX "account_username_key_key" ON "account"("username_key");

-- CreateIndex
CREATE UNIQUE INDEX "account_email_key_key" ON "account"("email_key");

-- CreateIndex
CREATE UNIQUE INDEX "account_slug_key" ON "account"("slug");

-- CreateIndex
CREATE INDEX "account_language_id_idx" ON "account"("language_id");

-- CreateIndex
CREATE UNIQUE INDEX "language_code_key" ON "language"("code");

-- CreateIndex
CREATE INDEX "session_account_id_idx" ON "session"("account_id");

-- CreateIndex
CREATE UNIQUE INDEX "application_password_hash_key" ON "application_password"("hash");

-- CreateIndex
CREATE INDEX "application_password_account_id_idx" ON "application_password"("account_id");

-- CreateIndex
CREATE INDEX "term_parent_id_idx" ON "term"("parent_id");

-- CreateIndex
CREATE UNIQUE INDEX "term_taxonomy_slug_key" ON "term"("taxonomy", "slug");

-- CreateIndex
CREATE INDEX "content_item_kind_status_published_at_id_idx" ON "content_item"("kind", "status", "published_at", "id");

-- CreateIndex
CREATE INDEX "content_item_kind_status_modified_at_id_idx" ON "content_item"("kind", "status", "modified_at", "id");

-- CreateIndex
CREATE INDEX "content_item_kind_status_title_key_id_idx" ON "content_item"("kind", "status", "title_key", "id");

-- CreateIndex
CREATE INDEX "content_item_kind_status_slug_id_idx" ON "content_item"("kind", "status", "slug", "id");

-- CreateIndex
CREATE INDEX "content_item_author_id_kind_status_idx" ON "content_item"("author_id", "kind", "status");

-- CreateIndex
CREATE INDEX "content_item_parent_id_idx" ON "content_item"("parent_id");

-- CreateIndex
CREATE INDEX "content_term_term_id_item_id_idx" ON "content_term"("term_id", "item_id");

-- CreateIndex
CREATE INDEX "revision_item_id_created_at_id_idx" ON "revision"("item_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "revision_author_id_idx" ON "revision"("author_id");

-- CreateIndex
CREATE INDEX "idempotent_change_created_at_idx" ON "idempotent_change"("created_at");

-- AddForeignKey
ALTER TABLE "account" ADD CONSTRAINT "account_language_id_fkey" FOREIGN KEY ("language_id") REFERENCES "language"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "session" ADD CONSTRAINT "session_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "application_password" ADD CONSTRAINT "application_password_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "term" ADD CONSTRAINT "term_parent_id_fkey" FOREIGN KEY ("parent_id") REFERENCES "term"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "content_item" ADD CONSTRAINT "content_item_author_id_fkey" FOREIGN KEY ("author_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "content_item" ADD CONSTRAINT "content_item_parent_id_fkey" FOREIGN KEY ("parent_id") REFERENCES "content_item"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "content_term" ADD CONSTRAINT "content_term_item_id_fkey" FOREIGN KEY ("item_id") REFERENCES "content_item"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "content_term" ADD CONSTRAINT "content_term_term_id_fkey" FOREIGN KEY ("term_id") REFERENCES "term"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "revision" ADD CONSTRAINT "revision_item_id_fkey" FOREIGN KEY ("item_id") REFERENCES "content_item"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "revision" ADD CONSTRAINT "revision_author_id_fkey" FOREIGN KEY ("author_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma cannot say, from here on. Indexes of this kind are named in prisma/unmanaged.json, so that the diff leaves them alone.

-- Values that the columns may hold
ALTER TABLE "account" ADD CONSTRAINT "account_roles_check" CHECK ("roles" <@ ARRAY[
    'administrator', 'editor', 'author', 'contributor', 'subscriber', 'guest', 'clinician', 'analyst']);
ALTER TABLE "site" ADD CONSTRAINT "site_id_check" CHECK ("id" = 1);
ALTER TABLE "term" ADD CONSTRAINT "term_taxonomy_check" CHECK ("taxonomy" IN (
    'category', 'post_tag', 'healthcare_category', 'language', 'location', 'therapeutic_area'));
ALTER TABLE "content_item" ADD CONSTRAINT "content_item_kind_check" CHECK ("kind" IN ('post', 'page', 'healthcare'));
ALTER TABLE "content_item" ADD CONSTRAINT "content_item_status_check" CHECK ("status" IN (
    'publish', 'future', 'draft', 'pending', 'private', 'trash', 'auto-draft'));
ALTER TABLE "content_item" ADD CONSTRAINT "content_item_format_check" CHECK ("format" IN (
    'standard', 'aside', 'chat', 'gallery', 'link', 'image', 'quote', 'status', 'video', 'audio'));

-- One address, one item; drafts may have none
CREATE UNIQUE INDEX "content_item_address_key" ON "content_item"("kind", COALESCE("parent_id", 0), "slug") WHERE "slug" <> '';

-- One autosave per item and author
CREATE UNIQUE INDEX "revision_autosave_key" ON "revision"("item_id", "author_id") WHERE "autosave";

-- The few sticky items, out of many
CREATE INDEX "content_item_sticky_idx" ON "content_item"("kind", "id") WHERE "sticky";

-- What every installation has
INSERT INTO "language" ("id", "code", "name") VALUES
    (1, 'en', 'English'), (2, 'de', 'Deutsch'), (3, 'fr', 'Français'), (4, 'es', 'Español'),
    (5, 'ar', 'العربية'), (6, 'he', 'עברית'), (7, 'ru', 'Русский');
SELECT setval(pg_get_serial_sequence('language', 'id'), (SELECT max("id") FROM "language"));

INSERT INTO "term" ("id", "taxonomy", "name", "name_key", "slug")
VALUES (1, 'category', 'Uncategorized', 'uncategorized', 'uncategorized');
SELECT setval(pg_get_serial_sequence('term', 'id'), (SELECT max("id") FROM "term"));

INSERT INTO "site" ("id", "title", "tagline", "time_zone", "default_category_id") VALUES (1, 'Care', '', 'UTC', 1);
