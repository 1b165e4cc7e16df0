-- oldest: 0.1.0
-- Doses and notifications are numbered by 32 bits, which two million members use up in half a year. Copies of these numbers
-- of 64 bits are kept beside them; the job `wide ids` makes those of older rows. They take the place of the numbers in
-- 20261213030000_wide_ids_instead, when no process runs any more that knows the numbers alone.
CREATE TABLE "wide_column" (
    "name" TEXT COLLATE "C" NOT NULL,
    "upto" BIGINT NOT NULL, -- the last row that the job has seen
    CONSTRAINT "wide_column_pkey" PRIMARY KEY ("name")
);
ALTER TABLE "dose" ADD COLUMN "wide_id" BIGINT;
ALTER TABLE "notification" ADD COLUMN "wide_id" BIGINT;
ALTER TABLE "delivery" ADD COLUMN "wide_notification_id" BIGINT;
ALTER TABLE "idempotent_change" ADD COLUMN "wide_row_id" BIGINT;

CREATE FUNCTION widen_id() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    NEW.wide_id := NEW.id;
    RETURN NEW;
END $$;
CREATE FUNCTION widen_notification_id() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    NEW.wide_notification_id := NEW.notification_id;
    RETURN NEW;
END $$;
CREATE FUNCTION widen_row_id() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    NEW.wide_row_id := NEW.row_id;
    RETURN NEW;
END $$;
CREATE TRIGGER "dose_widen" BEFORE INSERT OR UPDATE ON "dose" FOR EACH ROW EXECUTE FUNCTION widen_id();
CREATE TRIGGER "notification_widen" BEFORE INSERT OR UPDATE ON "notification" FOR EACH ROW EXECUTE FUNCTION widen_id();
CREATE TRIGGER "delivery_widen" BEFORE INSERT OR UPDATE ON "delivery" FOR EACH ROW EXECUTE FUNCTION widen_notification_id();
CREATE TRIGGER "idempotent_change_widen" BEFORE INSERT OR UPDATE ON "idempotent_change" FOR EACH ROW
    EXECUTE FUNCTION widen_row_id();

-- A copy of its number changes no fact.
DROP TRIGGER "report_dose" ON "dose";
CREATE TRIGGER "report_dose" AFTER INSERT OR DELETE OR UPDATE OF "account_id", "reminder_id", "planned_at", "extra", "answer", "at", "name",
        "medicine_type", "note", "amount", "unit", "from_stock", "logged_by_id", "logged_at", "logged_from" ON "dose"
    FOR EACH ROW EXECUTE FUNCTION report_dose_changed();
-- The same by numbers of 64 bits.
CREATE FUNCTION report_deliveries_note(notifications BIGINT[], moments TIMESTAMPTZ[]) RETURNS VOID LANGUAGE plpgsql AS $$
BEGIN
    IF cardinality(notifications) > 0 THEN
        PERFORM report_note_all('notification', array_agg(account_id), array_agg(month)) FROM (
            SELECT DISTINCT n.account_id, date_trunc('month', moment AT TIME ZONE 'UTC' + day)::date AS month
            FROM unnest(notifications, moments) AS d (id, moment) JOIN notification n USING (id)
            CROSS JOIN unnest('{-1 day,1 day}'::interval[]) AS day) noted;
    END IF;
END $$;
