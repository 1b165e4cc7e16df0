-- oldest: 0.1.0
-- Each counts its changes, so that a change may be based on what was read.
ALTER TABLE "form" ADD COLUMN "version" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "term" ADD COLUMN "version" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "media" ADD COLUMN "version" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "medicine_stock" ADD COLUMN "version" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "notification_preference" ADD COLUMN "version" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "site" ADD COLUMN "version" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "care_relation" ADD COLUMN "version" INTEGER NOT NULL DEFAULT 0;
