-- oldest: 0.1.0
-- An account that is erased, or is counted as another one from now on, is counted again where it is counted, and where a
-- transaction that has not committed counts it: that one's note is still there, or the mark of the month. One that is erased
-- waits for the transactions that add facts of it, one that changes does not: it is noted for every month that takes changes.
-- The numbers of items are no accounts.
CREATE OR REPLACE FUNCTION report_member_changed() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE member INTEGER;
BEGIN
    IF TG_TABLE_NAME = 'account' THEN
        member := coalesce(NEW.id, OLD.id);
    ELSE
        member := NEW.account_id;
    END IF;
    IF TG_TABLE_NAME = 'care_setting' AND TG_OP = 'UPDATE' THEN
        IF OLD.learned_zone IS NOT DISTINCT FROM NEW.learned_zone THEN
            RETURN NULL;
        END IF;
    END IF;
    INSERT INTO report_change (subject, month, account_id)
        SELECT o.subject, o.month, member FROM (
            SELECT subject, month FROM report_month WHERE logged_by IS NOT NULL AND NOT closed
            UNION ALL SELECT subject || '+', month FROM report_building) o
        WHERE o.subject NOT IN ('content', 'content+') AND (TG_OP = 'UPDATE'
            OR EXISTS (SELECT FROM report_member m
                WHERE m.subject = o.subject AND m.month = o.month AND m.account_id = member)
            OR EXISTS (SELECT FROM report_change c
                WHERE c.subject = o.subject AND c.month = o.month AND c.account_id = member));
    -- Months that are made for the first time, once in a transaction.
    INSERT INTO report_stale (subject, month)
        SELECT subject, month FROM report_stale s WHERE subject NOT IN ('content', 'content+')
            AND NOT EXISTS (SELECT FROM report_month m WHERE m.subject = s.subject AND m.month = s.month)
        GROUP BY subject, month HAVING NOT bool_or(s.xmin = pg_current_xact_id()::xid);
    RETURN NULL;
END $$;
