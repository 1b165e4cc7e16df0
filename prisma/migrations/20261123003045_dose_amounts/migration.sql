-- AlterTable
ALTER TABLE "dose" ADD COLUMN     "amount" DECIMAL(9,3),
ADD COLUMN     "unit" TEXT;

-- AlterTable
ALTER TABLE "reminder" ADD COLUMN     "dose_unit" TEXT;

-- CreateTable
CREATE TABLE "dose_amount" (
    "id" SERIAL NOT NULL,
    "reminder_id" INTEGER NOT NULL,
    "starts_on" TEXT NOT NULL,
    "time" TEXT,
    "amount" DECIMAL(9,3) NOT NULL,

    CONSTRAINT "dose_amount_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "dose_amount_reminder_id_idx" ON "dose_amount"("reminder_id");

-- AddForeignKey
ALTER TABLE "dose_amount" ADD CONSTRAINT "dose_amount_reminder_id_fkey" FOREIGN KEY ("reminder_id") REFERENCES "reminder"("id") ON DELETE CASCADE ON UPDATE CASCADE;
