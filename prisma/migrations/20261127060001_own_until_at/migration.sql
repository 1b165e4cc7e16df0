-- AlterTable
ALTER TABLE "reminder" ADD COLUMN     "own_until_at" TIMESTAMPTZ(3);
