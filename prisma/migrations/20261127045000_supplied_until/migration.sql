-- AlterTable
ALTER TABLE "reminder" ADD COLUMN     "supplied_until" TIMESTAMPTZ(3);
