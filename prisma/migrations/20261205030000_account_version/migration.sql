-- oldest: 0.1.0
-- Counts the changes of an account, so that a change may be based on what was read.
ALTER TABLE "account" ADD COLUMN "version" INTEGER NOT NULL DEFAULT 0;
