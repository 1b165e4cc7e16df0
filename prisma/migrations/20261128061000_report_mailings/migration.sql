-- CreateTable
CREATE TABLE "report_mailing" (
    "id" SERIAL NOT NULL,
    "report_id" INTEGER NOT NULL,
    "every" TEXT NOT NULL,
    "day" INTEGER NOT NULL,
    "hour" INTEGER NOT NULL,
    "next_on" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "report_mailing_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "report_mailing_recipient" (
    "id" SERIAL NOT NULL,
    "mailing_id" INTEGER NOT NULL,
    "account_id" INTEGER,
    "unsubscribed_at" TIMESTAMPTZ(3),

    CONSTRAINT "report_mailing_recipient_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "report_mailing_report_id_key" ON "report_mailing"("report_id");

-- CreateIndex
CREATE INDEX "report_mailing_due_at_idx" ON "report_mailing"("due_at");

-- CreateIndex
CREATE INDEX "report_mailing_recipient_account_id_idx" ON "report_mailing_recipient"("account_id");

-- CreateIndex
CREATE UNIQUE INDEX "report_mailing_recipient_mailing_id_account_id_key" ON "report_mailing_recipient"("mailing_id", "account_id");

-- AddForeignKey
ALTER TABLE "report_mailing" ADD CONSTRAINT "report_mailing_report_id_fkey" FOREIGN KEY ("report_id") REFERENCES "saved_report"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "report_mailing_recipient" ADD CONSTRAINT "report_mailing_recipient_mailing_id_fkey" FOREIGN KEY ("mailing_id") REFERENCES "report_mailing"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "report_mailing_recipient" ADD CONSTRAINT "report_mailing_recipient_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE SET NULL ON UPDATE CASCADE;
