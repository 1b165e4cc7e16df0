-- Accounts and reminders in the weeks since they were made are subjects of reports. Their facts are made
-- of rows that stay, so months of the past get cells too.

CREATE INDEX "account_created_at_idx" ON "account"("created_at");

-- What is answered within the hour is counted when its week is over: until then nothing is.
CREATE FUNCTION report_cohort_dose() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO report_stale SELECT DISTINCT 'cohort',
        date_trunc('month', date_trunc('week', moment AT TIME ZONE 'UTC' + days * interval '1 day'))::date
        FROM unnest(ARRAY[OLD.at, NEW.at]) AS moment, unnest(ARRAY[-1, 1, 8, 15, 22]) AS days
        WHERE moment IS NOT NULL;
    RETURN NULL;
END $$;
CREATE TRIGGER "report_cohort_dose_late" AFTER INSERT ON "dose" FOR EACH ROW
    WHEN (NEW.logged_at >= NEW.at + interval '1 hour') EXECUTE FUNCTION report_cohort_dose();
CREATE TRIGGER "report_cohort_dose_edit" AFTER DELETE OR UPDATE OF "at", "account_id" ON "dose" FOR EACH ROW
    EXECUTE FUNCTION report_cohort_dose();

-- Who or what began counts in each month of the year after, up to when the passing of time is noted:
-- later weeks are noted by it. Whose first week was not over then counts nowhere yet. Argument: the subject.
CREATE FUNCTION report_cohort_changed() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
    first TIMESTAMP := least(NEW.created_at, OLD.created_at) AT TIME ZONE 'UTC';
    last TIMESTAMP := greatest(NEW.created_at, OLD.created_at) AT TIME ZONE 'UTC';
    noted TIMESTAMP := (SELECT as_of AT TIME ZONE 'UTC' FROM report_state WHERE subject = 'missed');
BEGIN
    -- Monday is that of the site's zone, and a week is over in every zone 36 hours after its last day began.
    IF noted >= date_trunc('week', first - interval '12 hours') + interval '180 hours' THEN
        INSERT INTO report_stale SELECT TG_ARGV[0], month::date
            FROM generate_series(date_trunc('month', first - interval '8 days'), last + interval '14 months', interval '1 month') AS month
            WHERE month <= noted;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER "report_cohort_account" AFTER INSERT OR UPDATE OF "roles", "created_at" ON "account" FOR EACH ROW
    EXECUTE FUNCTION report_cohort_changed('cohort');
CREATE TRIGGER "report_cohort_reminder" AFTER INSERT OR DELETE
    OR UPDATE OF "deleted_at", "until_at", "scheduled", "recognized", "medicine_type", "created_at" ON "reminder" FOR EACH ROW
    EXECUTE FUNCTION report_cohort_changed('reminderCohort');

INSERT INTO "report_stale" SELECT subject, month::date FROM unnest(ARRAY['cohort', 'reminderCohort']) AS subject,
    generate_series((SELECT date_trunc('month', greatest(min("created_at"), now() - interval '1825 days')
        AT TIME ZONE 'UTC' - interval '8 days') FROM "account" HAVING count(*) > 0), now() AT TIME ZONE 'UTC', interval '1 month') AS month;
