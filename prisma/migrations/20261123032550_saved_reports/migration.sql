-- CreateTable
CREATE TABLE "saved_report" (
    "id" SERIAL NOT NULL,
    "account_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "query" TEXT NOT NULL,
    "variables" TEXT NOT NULL,
    "view" TEXT,
    "measure" TEXT,
    "is_shared" BOOLEAN NOT NULL,
    "modified_at" TIMESTAMPTZ(3) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "saved_report_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "saved_report_account_id_idx" ON "saved_report"("account_id");

-- AddForeignKey
ALTER TABLE "saved_report" ADD CONSTRAINT "saved_report_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
