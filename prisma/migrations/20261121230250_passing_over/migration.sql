-- AlterTable
ALTER TABLE "occurrence" ADD COLUMN     "retry_at" TIMESTAMPTZ(3);
