-- Which months of a subject have cells, and when they were first made. The cells of a closed month
-- are never made again: docs/reports.md.
CREATE TABLE "report_month" (
    "subject" TEXT COLLATE "C" NOT NULL,
    "month" DATE NOT NULL,
    "made_at" TIMESTAMPTZ(3) NOT NULL,
    "closed" BOOLEAN NOT NULL DEFAULT false,
    PRIMARY KEY ("subject", "month")
);
INSERT INTO "report_month" ("subject", "month", "made_at")
SELECT DISTINCT "subject", date_trunc('month', "date")::date, '1970-01-01Z'::timestamptz FROM "report_cell";

-- Facts of months that are not closed yet whose rows are gone: by retention, or since somebody
-- tidied up. They go with their account, and when their month is closed.
CREATE TABLE "report_kept" (
    "subject" TEXT COLLATE "C" NOT NULL,
    "account_id" INTEGER REFERENCES "account"("id") ON DELETE CASCADE, -- null: nobody was signed in
    "at" TIMESTAMPTZ(3) NOT NULL, -- on whose day the fact counts
    "fact" JSONB NOT NULL
);
CREATE INDEX "report_kept_at" ON "report_kept"("subject", "at");
CREATE INDEX "report_kept_account" ON "report_kept"("account_id");

-- Returns whether the month of an instant is closed, in whichever zone.
CREATE FUNCTION report_is_closed(whose TEXT, moment TIMESTAMPTZ) RETURNS BOOLEAN LANGUAGE sql STABLE AS $$
    SELECT bool_and(EXISTS (SELECT FROM report_month m WHERE m.subject = whose AND m.closed
        AND m.month = date_trunc('month', moment AT TIME ZONE 'UTC' + day)::date))
    FROM unnest(ARRAY['-1 day', '1 day']::interval[]) AS day
$$;

-- Keeps a fact for a month that is not closed, unless it is older than five years: docs/reports.md.
CREATE FUNCTION report_keep(whose TEXT, member INTEGER, moment TIMESTAMPTZ, fact JSONB) RETURNS VOID LANGUAGE sql AS $$
    INSERT INTO report_kept SELECT whose, member, moment, fact
    WHERE NOT report_is_closed(whose, moment)
        AND moment >= date_trunc('month', now() AT TIME ZONE 'UTC' - interval '1830 days') AT TIME ZONE 'UTC' - interval '1 day'
        AND (member IS NULL OR EXISTS (SELECT FROM account a WHERE a.id = member))
$$;

CREATE FUNCTION report_row_gone() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    IF TG_TABLE_NAME = 'delivery' THEN
        PERFORM report_keep('notification', n.account_id, OLD.due_at, jsonb_build_object('transport', OLD.kind,
            'kind', n.kind, 'state', OLD.state, 'sentAt', OLD.sent_at)) FROM notification n WHERE n.id = OLD.notification_id;
    ELSIF TG_TABLE_NAME = 'notification' THEN
        PERFORM report_keep('notification', OLD.account_id, d.due_at, jsonb_build_object('transport', d.kind,
            'kind', OLD.kind, 'state', d.state, 'sentAt', d.sent_at)) FROM delivery d
            WHERE d.notification_id = OLD.id AND d.state IN ('accepted', 'sent', 'failed', 'dead', 'missed');
    ELSIF TG_TABLE_NAME = 'form_submission' THEN
        PERFORM report_keep('form', OLD.account_id, OLD.received_at,
            jsonb_build_object('id', OLD.id, 'form', OLD.form_id, 'platform', OLD.platform));
    ELSE
        PERFORM report_keep('account', OLD.subject_id, OLD.at, jsonb_build_object('action', OLD.action))
            WHERE OLD.subject_id IS NOT NULL;
    END IF;
    RETURN OLD;
END $$;
CREATE TRIGGER "report_delivery_gone" BEFORE DELETE ON "delivery" FOR EACH ROW
    WHEN (OLD.state IN ('accepted', 'sent', 'failed', 'dead', 'missed')) EXECUTE FUNCTION report_row_gone();
-- Its deliveries go with it, when it cannot be read any more.
CREATE TRIGGER "report_notification_gone" BEFORE DELETE ON "notification" FOR EACH ROW EXECUTE FUNCTION report_row_gone();
CREATE TRIGGER "report_submission_gone" BEFORE DELETE ON "form_submission" FOR EACH ROW EXECUTE FUNCTION report_row_gone();
CREATE TRIGGER "report_event_gone" BEFORE DELETE ON "audit_event" FOR EACH ROW
    WHEN (OLD.action IN ('account.upgrade', 'session.start')) EXECUTE FUNCTION report_row_gone();

-- What is deleted in these tables stays a fact, unless its account is erased: then all months that
-- are not closed are made again.
DROP TRIGGER "report_delivery" ON "delivery";
CREATE TRIGGER "report_delivery" AFTER INSERT OR UPDATE OF "state" ON "delivery"
    FOR EACH ROW EXECUTE FUNCTION report_row_changed('notification', 'due_at');
DROP TRIGGER "report_form" ON "form_submission";
CREATE TRIGGER "report_form" AFTER INSERT ON "form_submission"
    FOR EACH ROW EXECUTE FUNCTION report_row_changed('form', 'received_at');
CREATE FUNCTION report_account_erased() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO report_stale SELECT subject, month FROM report_month WHERE NOT closed;
    RETURN NULL;
END $$;
CREATE TRIGGER "report_account_erased" AFTER DELETE ON "account"
    FOR EACH STATEMENT EXECUTE FUNCTION report_account_erased();

-- Facts of closed months are deleted, and no cells follow.
CREATE OR REPLACE FUNCTION report_facts_changed() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO report_stale SELECT 'dose', month FROM (SELECT DISTINCT date_trunc('month', day)::date AS month FROM changed) c
        WHERE NOT EXISTS (SELECT FROM report_month m WHERE m.subject = 'dose' AND m.month = c.month AND m.closed);
    RETURN NULL;
END $$;

-- A move or a change of language does not rewrite the past.
DROP TRIGGER "report_account_zone" ON "account";
DROP TRIGGER "report_learned_zone" ON "care_setting";
DROP TRIGGER "report_learned_zone_edit" ON "care_setting";
DROP TRIGGER "report_site_zone" ON "site";
DROP FUNCTION report_zone_changed();
