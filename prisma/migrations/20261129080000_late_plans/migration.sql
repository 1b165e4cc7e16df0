-- Occurrences that pass while nothing plans have no alert by which reports learn that a dose was missed: who plans the
-- reminder at last marks its member. Planning sets planned_until to 48 hours ahead (HORIZON in alert-plan.service.ts).
CREATE FUNCTION report_planned_late() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO report_due (account_id, from_at) VALUES (NEW.account_id, OLD.planned_until - interval '1 hour');
    RETURN NULL;
END $$;
CREATE TRIGGER "report_planned_late" AFTER UPDATE OF "planned_until" ON "reminder" FOR EACH ROW
    WHEN (NEW.kind = 'medicine' AND OLD.planned_until < NEW.planned_until - interval '48 hours')
    EXECUTE FUNCTION report_planned_late();
