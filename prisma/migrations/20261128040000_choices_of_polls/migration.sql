-- Options that were chosen in polls are a subject of reports of their own: each is a fact.
CREATE TRIGGER "report_poll_choice" AFTER INSERT OR DELETE OR UPDATE ON "poll_submission"
    FOR EACH ROW EXECUTE FUNCTION report_row_changed('pollChoice', 'submitted_at');
INSERT INTO "report_stale" SELECT DISTINCT 'pollChoice', date_trunc('month', "submitted_at" AT TIME ZONE 'UTC' + day)::date
FROM "poll_submission", unnest(ARRAY['-1 day', '1 day']::interval[]) AS day;
