-- Who wants no mails of a report, also when it is not mailed for a while.
CREATE TABLE "report_unsubscription" (
    "report_id" INTEGER NOT NULL,
    "account_id" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "report_unsubscription_pkey" PRIMARY KEY ("report_id","account_id")
);

-- CreateIndex
CREATE INDEX "report_unsubscription_account_id_idx" ON "report_unsubscription"("account_id");

-- AddForeignKey
ALTER TABLE "report_unsubscription" ADD CONSTRAINT "report_unsubscription_report_id_fkey" FOREIGN KEY ("report_id") REFERENCES "saved_report"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "report_unsubscription" ADD CONSTRAINT "report_unsubscription_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

INSERT INTO "report_unsubscription" ("report_id", "account_id", "at")
  SELECT m.report_id, p.account_id, p.unsubscribed_at
  FROM "report_mailing_recipient" p JOIN "report_mailing" m ON m.id = p.mailing_id
  WHERE p.account_id IS NOT NULL AND p.unsubscribed_at IS NOT NULL;
