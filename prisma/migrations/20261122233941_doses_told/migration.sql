-- AlterTable
ALTER TABLE "care_relation" ADD COLUMN     "told_of_silence_at" TIMESTAMPTZ(3);
