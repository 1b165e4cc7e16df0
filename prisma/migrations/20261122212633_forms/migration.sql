-- CreateTable
CREATE TABLE "form" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "score_least" DECIMAL(9,2) NOT NULL,
    "score_most" DECIMAL(9,2) NOT NULL,
    "retention_days" INTEGER NOT NULL,
    "open" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "form_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "form_submission" (
    "id" SERIAL NOT NULL,
    "form_id" INTEGER NOT NULL,
    "account_id" INTEGER,
    "platform" TEXT NOT NULL,
    "sealed" TEXT NOT NULL,
    "key_id" TEXT NOT NULL,
    "email_hash" TEXT NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "form_submission_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "form_submission_received_at_id_idx" ON "form_submission"("received_at", "id");

-- CreateIndex
CREATE INDEX "form_submission_form_id_received_at_id_idx" ON "form_submission"("form_id", "received_at", "id");

-- CreateIndex
CREATE INDEX "form_submission_account_id_idx" ON "form_submission"("account_id");

-- CreateIndex
CREATE INDEX "form_submission_email_hash_idx" ON "form_submission"("email_hash");

-- CreateIndex
CREATE INDEX "form_submission_key_id_idx" ON "form_submission"("key_id");

-- AddForeignKey
ALTER TABLE "form_submission" ADD CONSTRAINT "form_submission_form_id_fkey" FOREIGN KEY ("form_id") REFERENCES "form"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "form_submission" ADD CONSTRAINT "form_submission_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
