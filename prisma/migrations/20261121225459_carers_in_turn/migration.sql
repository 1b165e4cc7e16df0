-- AlterTable
ALTER TABLE "notification_preference" ADD COLUMN     "carers_wait_minutes" INTEGER;
