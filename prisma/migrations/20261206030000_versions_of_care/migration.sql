-- oldest: 0.1.0
-- Counts what was changed of how a member is reminded, and of a channel, so that a change may be based on
-- what was read.
ALTER TABLE "care_setting" ADD COLUMN "version" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "channel" ADD COLUMN "version" INTEGER NOT NULL DEFAULT 0;
