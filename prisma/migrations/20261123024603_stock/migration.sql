-- AlterTable
ALTER TABLE "dose" ADD COLUMN     "from_stock" DECIMAL(10,3);

-- CreateTable
CREATE TABLE "medicine_stock" (
    "reminder_id" INTEGER NOT NULL,
    "amount" DECIMAL(10,3) NOT NULL,
    "unit" TEXT NOT NULL,
    "is_certain" BOOLEAN NOT NULL DEFAULT true,
    "notice_days" INTEGER NOT NULL DEFAULT 7,
    "counted_at" TIMESTAMPTZ(3) NOT NULL,
    "look_at" TIMESTAMPTZ(3),
    "low_told_at" TIMESTAMPTZ(3),

    CONSTRAINT "medicine_stock_pkey" PRIMARY KEY ("reminder_id")
);

-- CreateTable
CREATE TABLE "medicine_pack" (
    "id" SERIAL NOT NULL,
    "reminder_id" INTEGER NOT NULL,
    "amount" DECIMAL(10,3) NOT NULL,
    "expires_on" TEXT NOT NULL,
    "told_at" TIMESTAMPTZ(3),

    CONSTRAINT "medicine_pack_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "medicine_stock_look_at_idx" ON "medicine_stock"("look_at");

-- CreateIndex
CREATE INDEX "medicine_pack_reminder_id_idx" ON "medicine_pack"("reminder_id");

-- AddForeignKey
ALTER TABLE "medicine_stock" ADD CONSTRAINT "medicine_stock_reminder_id_fkey" FOREIGN KEY ("reminder_id") REFERENCES "reminder"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "medicine_pack" ADD CONSTRAINT "medicine_pack_reminder_id_fkey" FOREIGN KEY ("reminder_id") REFERENCES "medicine_stock"("reminder_id") ON DELETE CASCADE ON UPDATE CASCADE;
