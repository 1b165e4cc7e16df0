-- Facts of doses follow the schedule of a reminder, and what is withheld of it, as they follow its other columns.
DROP TRIGGER "report_reminder_edit" ON "reminder";
CREATE TRIGGER "report_reminder_edit" AFTER UPDATE OF "kind", "name", "medicine_type", "frequency_type", "schedule", "scheduled",
    "recognized", "zone", "start_local", "times", "until_at", "plan_from", "withheld", "created_at", "created_date", "deleted_at" ON "reminder"
    FOR EACH ROW EXECUTE FUNCTION report_reminder_changed();
