-- oldest: 0.1.0
-- Notes what some accounts changed in some months, pairs of both, in one statement: where cells follow, or are being made,
-- the account; else the month, once.
CREATE FUNCTION report_note_all(whose TEXT, members INTEGER[], months DATE[]) RETURNS VOID LANGUAGE plpgsql AS $$
BEGIN
    WITH pairs AS (
        SELECT DISTINCT account_id, month FROM unnest(members, months) AS p (account_id, month)
        WHERE account_id IS NOT NULL AND month IS NOT NULL
    ), noted AS (
        SELECT u.month, m.logged_by IS NOT NULL AS follows, b.month IS NOT NULL AS building
        FROM (SELECT DISTINCT month FROM pairs) u
        LEFT JOIN report_month m ON m.subject = whose AND m.month = u.month
        LEFT JOIN report_building b ON b.subject = whose AND b.month = u.month
        WHERE m.closed IS NOT TRUE
    ), changed AS (
        INSERT INTO report_change (subject, month, account_id)
        SELECT whose, month, account_id FROM pairs JOIN noted USING (month) WHERE follows
        UNION ALL SELECT whose || '+', month, account_id FROM pairs JOIN noted USING (month) WHERE building
    )
    INSERT INTO report_stale (subject, month) SELECT whose, month FROM noted WHERE NOT follows AND NOT building;
END $$;
CREATE OR REPLACE FUNCTION report_note(whose TEXT, member INTEGER, months DATE[]) RETURNS VOID LANGUAGE plpgsql AS $$
BEGIN
    PERFORM report_note_all(whose, array_fill(member, ARRAY[cardinality(months)]), months);
END $$;

CREATE OR REPLACE FUNCTION report_facts_changed() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    PERFORM report_note_all('dose', array_agg(account_id), array_agg(month))
        FROM (SELECT DISTINCT account_id, date_trunc('month', day)::date AS month FROM changed) c;
    RETURN NULL;
END $$;

-- Deliveries change hundreds at a time. What is planned is no fact yet. The site's zone is not known here, so the months of
-- a day before and after are noted too.
CREATE FUNCTION report_deliveries_note(notifications INTEGER[], moments TIMESTAMPTZ[]) RETURNS VOID LANGUAGE plpgsql AS $$
BEGIN
    IF cardinality(notifications) > 0 THEN
        PERFORM report_note_all('notification', array_agg(account_id), array_agg(month)) FROM (
            SELECT DISTINCT n.account_id, date_trunc('month', moment AT TIME ZONE 'UTC' + day)::date AS month
            FROM unnest(notifications, moments) AS d (id, moment) JOIN notification n USING (id)
            CROSS JOIN unnest('{-1 day,1 day}'::interval[]) AS day) noted;
    END IF;
END $$;
CREATE FUNCTION report_deliveries_made() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    PERFORM report_deliveries_note(array_agg(notification_id), array_agg(due_at))
        FROM made WHERE state IN ('accepted', 'sent', 'failed', 'dead', 'missed');
    RETURN NULL;
END $$;
CREATE FUNCTION report_deliveries_changed() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    PERFORM report_deliveries_note(array_agg(after.notification_id), array_agg(after.due_at))
        FROM after JOIN before USING (id) WHERE after.state IS DISTINCT FROM before.state;
    RETURN NULL;
END $$;
DROP TRIGGER "report_delivery" ON "delivery";
DROP TRIGGER "report_delivery_state" ON "delivery";
CREATE TRIGGER "report_delivery" AFTER INSERT ON "delivery" REFERENCING NEW TABLE AS made
    FOR EACH STATEMENT EXECUTE FUNCTION report_deliveries_made();
CREATE TRIGGER "report_delivery_state" AFTER UPDATE ON "delivery" REFERENCING OLD TABLE AS before NEW TABLE AS after
    FOR EACH STATEMENT EXECUTE FUNCTION report_deliveries_changed();
CREATE OR REPLACE FUNCTION report_row_changed() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
    members INTEGER[];
    moments TIMESTAMPTZ[];
BEGIN
    IF TG_TABLE_NAME = 'content_item' THEN
        members := ARRAY[coalesce(NEW.id, OLD.id)];
        moments := ARRAY[OLD.published_at, NEW.published_at];
    ELSIF TG_TABLE_NAME = 'account' THEN
        members := ARRAY[coalesce(NEW.id, OLD.id)];
        moments := ARRAY[OLD.created_at, NEW.created_at];
    ELSIF TG_TABLE_NAME = 'audit_event' THEN
        members := ARRAY[NEW.subject_id];
        moments := ARRAY[NEW.at];
    ELSIF TG_TABLE_NAME = 'form_submission' THEN
        members := ARRAY[coalesce(NEW.account_id, -NEW.id)];
        moments := ARRAY[NEW.received_at];
    ELSIF TG_TABLE_NAME = 'poll_submission' THEN
        members := ARRAY[OLD.account_id, NEW.account_id];
        moments := ARRAY[OLD.submitted_at, NEW.submitted_at];
    ELSE
        members := ARRAY[OLD.account_id, NEW.account_id];
        moments := ARRAY[OLD.created_at, NEW.created_at];
    END IF;
    PERFORM report_note(TG_ARGV[0], member, ARRAY(SELECT date_trunc('month', moment AT TIME ZONE 'UTC' + day)::date
        FROM unnest(moments) AS moment, unnest('{-1 day,1 day}'::interval[]) AS day))
        FROM (SELECT DISTINCT unnest(members) AS member) m WHERE member IS NOT NULL;
    RETURN NULL;
END $$;
