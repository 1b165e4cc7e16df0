-- AlterTable
ALTER TABLE "reminder" ADD COLUMN     "least_interval" INTEGER,
ADD COLUMN     "max_per_day" INTEGER;
