-- Plans whose phrase was stored before its meaning was kept with it. A job empties these indexes.
CREATE INDEX "reminder_meaning" ON "reminder" ("id") WHERE "schedule" IS NULL AND "frequency_type" <> '';
CREATE INDEX "past_plan_meaning" ON "past_plan" ("id") WHERE "schedule" IS NULL AND "frequency_type" <> '';

-- Without "schedule": an edit of it sets the others too, and the job changes no dose.
DROP TRIGGER "report_reminder_edit" ON "reminder";
CREATE TRIGGER "report_reminder_edit" AFTER UPDATE OF "kind", "name", "medicine_type", "frequency_type", "scheduled",
    "recognized", "zone", "start_local", "times", "until_at", "plan_from", "withheld", "created_at", "created_date", "deleted_at" ON "reminder"
    FOR EACH ROW EXECUTE FUNCTION report_reminder_changed();
