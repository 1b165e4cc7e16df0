-- AlterTable
ALTER TABLE "reminder" ADD COLUMN     "withheld" TIMESTAMPTZ(3)[] DEFAULT ARRAY[]::TIMESTAMPTZ(3)[];

-- CreateTable
CREATE TABLE "reminder_pause" (
    "id" SERIAL NOT NULL,
    "reminder_id" INTEGER NOT NULL,
    "from_at" TIMESTAMPTZ(3) NOT NULL,
    "until_at" TIMESTAMPTZ(3),
    "made_by_id" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "reminder_pause_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "reminder_pause_reminder_id_from_at_idx" ON "reminder_pause"("reminder_id", "from_at");

-- AddForeignKey
ALTER TABLE "reminder_pause" ADD CONSTRAINT "reminder_pause_reminder_id_fkey" FOREIGN KEY ("reminder_id") REFERENCES "reminder"("id") ON DELETE CASCADE ON UPDATE CASCADE;
