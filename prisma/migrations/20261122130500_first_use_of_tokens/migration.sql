-- AlterTable
ALTER TABLE "session" DROP COLUMN "rotated_at",
ADD COLUMN     "pair_used_at" TIMESTAMPTZ(3);
