-- AlterTable
ALTER TABLE "site" ADD COLUMN     "zone_data" TEXT;
