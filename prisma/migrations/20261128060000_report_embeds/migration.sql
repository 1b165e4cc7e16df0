-- CreateTable
CREATE TABLE "report_embed" (
    "id" SERIAL NOT NULL,
    "account_id" INTEGER NOT NULL,
    "report_id" INTEGER,
    "hash" TEXT NOT NULL,
    "origins" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "answer" TEXT,
    "answered_at" TIMESTAMPTZ(3),
    "answered_version" INTEGER,

    CONSTRAINT "report_embed_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "report_embed_hash_key" ON "report_embed"("hash");

-- CreateIndex
CREATE INDEX "report_embed_account_id_idx" ON "report_embed"("account_id");

-- CreateIndex
CREATE INDEX "report_embed_report_id_idx" ON "report_embed"("report_id");

-- CreateIndex
CREATE INDEX "report_embed_expires_at_idx" ON "report_embed"("expires_at");

-- AddForeignKey
ALTER TABLE "report_embed" ADD CONSTRAINT "report_embed_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "report_embed" ADD CONSTRAINT "report_embed_report_id_fkey" FOREIGN KEY ("report_id") REFERENCES "saved_report"("id") ON DELETE SET NULL ON UPDATE CASCADE;
