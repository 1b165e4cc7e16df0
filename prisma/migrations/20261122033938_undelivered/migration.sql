-- AlterTable
ALTER TABLE "delivery" ADD COLUMN     "lost" BOOLEAN NOT NULL DEFAULT false;

-- By hand: what Prisma cannot say.

-- What ended undelivered and is to be looked at.
CREATE INDEX "delivery_lost" ON "delivery" ("id") WHERE "lost";

-- First tries go first, and what is tried again in the order of its time.
DROP INDEX "delivery_due";
CREATE INDEX "delivery_due" ON "delivery" ("kind", "attempts", "next_at") WHERE "state" = 'planned';

-- Dead devices, which are few, by when they are to be forgotten.
CREATE INDEX "device_dead" ON "device" ("dead_at") WHERE "dead_at" IS NOT NULL;
