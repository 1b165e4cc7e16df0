-- Whether a calendar's feed has alarms, and by which sign-in a dose was logged. Changes of the
-- catalogue alone.
ALTER TABLE "care_setting" ADD COLUMN "feed_alarms" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "dose" ADD COLUMN "logged_from" TEXT;
