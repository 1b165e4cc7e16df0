-- oldest: 0.1.0
-- What reports note of new reminders is noted for all rows of a statement at once: row by row it was a third of what an
-- imported reminder cost PostgreSQL.
CREATE FUNCTION report_reminders_made() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
    noted TIMESTAMP := (SELECT as_of AT TIME ZONE 'UTC' FROM report_state WHERE subject = 'missed');
BEGIN
    INSERT INTO report_due SELECT DISTINCT account_id, '-infinity'::timestamptz FROM made;
    PERFORM report_note_all('reminder', array_agg(account_id), array_agg(month)) FROM (
        SELECT DISTINCT account_id, date_trunc('month', created_at AT TIME ZONE 'UTC' + day)::date AS month
        FROM made, unnest('{-1 day,1 day}'::interval[]) AS day) c;
    PERFORM report_note_all('appointment', array_agg(account_id), array_agg(month)) FROM (
        SELECT account_id, date_trunc('month', left(start_local, 10)::date)::date AS month
        FROM made WHERE kind = 'appointment' AND start_local ~ '^\d{4}-\d{2}-\d{2}T') a;
    -- As in report_cohort_changed.
    PERFORM report_note_all('reminderCohort', array_agg(account_id), array_agg(month)) FROM (
        SELECT DISTINCT account_id, month::date AS month
        FROM (SELECT account_id, created_at AT TIME ZONE 'UTC' AS created FROM made) m,
            generate_series(date_trunc('month', created - interval '8 days'), created + interval '14 months', interval '1 month') AS month
        WHERE month <= noted AND noted >= date_trunc('week', created - interval '12 hours') + interval '180 hours') w;
    RETURN NULL;
END $$;

DROP TRIGGER "report_appointment" ON "reminder";
CREATE TRIGGER "report_appointment" AFTER DELETE OR UPDATE OF "start_local", "attended_at", "deleted_at", "scheduled", "event_type"
    ON "reminder" FOR EACH ROW EXECUTE FUNCTION report_appointment_changed();
DROP TRIGGER "report_cohort_reminder" ON "reminder";
CREATE TRIGGER "report_cohort_reminder" AFTER DELETE OR UPDATE OF "deleted_at", "until_at", "scheduled", "recognized", "medicine_type",
    "created_at" ON "reminder" FOR EACH ROW EXECUTE FUNCTION report_cohort_changed('reminderCohort');
DROP TRIGGER "report_created" ON "reminder";
CREATE TRIGGER "report_created" AFTER DELETE OR UPDATE OF "deleted_at", "recognized", "medicine_type"
    ON "reminder" FOR EACH ROW EXECUTE FUNCTION report_row_changed('reminder', 'created_at');
DROP TRIGGER "report_reminder" ON "reminder";
CREATE TRIGGER "report_reminder" AFTER DELETE ON "reminder" FOR EACH ROW EXECUTE FUNCTION report_reminder_changed();
CREATE TRIGGER "report_reminders_made" AFTER INSERT ON "reminder" REFERENCING NEW TABLE AS made
    FOR EACH STATEMENT EXECUTE FUNCTION report_reminders_made();
