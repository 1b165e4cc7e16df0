-- DropIndex
DROP INDEX "occurrence_reminder_id_due_at_channel_key";

-- DropIndex
DROP INDEX "occurrence_reminder_id_planned_at_idx";

-- AlterTable
ALTER TABLE "notification" ADD COLUMN     "silent" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "occurrence" DROP COLUMN "attempts",
DROP COLUMN "claimed_at",
DROP COLUMN "lease_until",
ADD COLUMN     "repetition" INTEGER DEFAULT 0;

-- CreateIndex
CREATE UNIQUE INDEX "occurrence_reminder_id_planned_at_due_at_channel_key" ON "occurrence"("reminder_id", "planned_at", "due_at", "channel");

-- By hand: what Prisma cannot say. Nothing is claimed any more: what goes out is queued in the transaction that settles it.
UPDATE "occurrence" SET "state" = 'planned' WHERE "state" = 'claimed';
ALTER TABLE "occurrence" DROP CONSTRAINT "occurrence_state";
ALTER TABLE "occurrence" ADD CONSTRAINT "occurrence_state" CHECK ("state" IN ('planned', 'sent', 'late', 'missed', 'cancelled'));
ALTER TABLE "occurrence" ADD CONSTRAINT "occurrence_channel" CHECK ("channel" IN ('push', 'carers'));
CREATE INDEX "occurrence_planned" ON "occurrence"("account_id", "due_at") WHERE "state" = 'planned';
