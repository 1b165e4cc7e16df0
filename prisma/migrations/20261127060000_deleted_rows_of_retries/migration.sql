-- AlterTable
ALTER TABLE "idempotent_change" ADD COLUMN     "deleted" BYTEA;
