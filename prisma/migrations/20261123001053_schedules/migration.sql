-- AlterTable
ALTER TABLE "care_setting" ADD COLUMN     "day_times" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- AlterTable
ALTER TABLE "past_plan" ADD COLUMN     "schedule" TEXT;

-- AlterTable
ALTER TABLE "reminder" ADD COLUMN     "schedule" TEXT;
