-- The zones in use are found by one step of an index for each, and the reminders of a zone by it.
CREATE INDEX "reminder_zone" ON "reminder" ("zone", "id") WHERE "deleted_at" IS NULL AND "scheduled";
CREATE INDEX "account_time_zone_idx" ON "account"("time_zone");
CREATE INDEX "care_setting_learned_zone_idx" ON "care_setting"("learned_zone");
