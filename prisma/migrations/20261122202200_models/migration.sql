-- CreateTable
CREATE TABLE "model_definition" (
    "id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "document" JSONB NOT NULL,
    "version" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "removed_at" TIMESTAMPTZ(3),

    CONSTRAINT "model_definition_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "model_part" (
    "id" SERIAL NOT NULL,
    "definition_id" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,

    CONSTRAINT "model_part_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "model_version" (
    "definition_id" INTEGER NOT NULL,
    "number" INTEGER NOT NULL,
    "document" JSONB NOT NULL,
    "change" TEXT NOT NULL,
    "account_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "model_version_pkey" PRIMARY KEY ("definition_id","number")
);

-- CreateTable
CREATE TABLE "model_item" (
    "id" SERIAL NOT NULL,
    "definition_id" INTEGER NOT NULL,
    "values" JSONB NOT NULL,
    "keys" JSONB NOT NULL,
    "version" INTEGER NOT NULL,
    "author_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "model_item_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "model_part_definition_id_idx" ON "model_part"("definition_id");

-- CreateIndex
CREATE INDEX "model_version_account_id_idx" ON "model_version"("account_id");

-- CreateIndex
CREATE INDEX "model_item_definition_id_id_idx" ON "model_item"("definition_id", "id");

-- CreateIndex
CREATE INDEX "model_item_author_id_idx" ON "model_item"("author_id");

-- AddForeignKey
ALTER TABLE "model_part" ADD CONSTRAINT "model_part_definition_id_fkey" FOREIGN KEY ("definition_id") REFERENCES "model_definition"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "model_version" ADD CONSTRAINT "model_version_definition_id_fkey" FOREIGN KEY ("definition_id") REFERENCES "model_definition"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "model_version" ADD CONSTRAINT "model_version_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "model_item" ADD CONSTRAINT "model_item_definition_id_fkey" FOREIGN KEY ("definition_id") REFERENCES "model_definition"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "model_item" ADD CONSTRAINT "model_item_author_id_fkey" FOREIGN KEY ("author_id") REFERENCES "account"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- Models in the bin leave their names to others.
CREATE UNIQUE INDEX "model_definition_name_key" ON "model_definition"("name") WHERE "removed_at" IS NULL;
