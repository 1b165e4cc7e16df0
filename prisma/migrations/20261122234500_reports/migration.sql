-- What became of each dose: a row for each that was taken, skipped, missed or logged apart, made of
-- plans and doses by the calendar. Whose day and hour: the member's, by the zone of today.
CREATE TABLE "dose_fact" (
    "account_id" INTEGER NOT NULL REFERENCES "account"("id") ON DELETE CASCADE,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "day" DATE NOT NULL,
    "hour" SMALLINT NOT NULL,
    "medicine_type" TEXT COLLATE "C" NOT NULL, -- empty: none
    "schedule_kind" TEXT COLLATE "C" NOT NULL, -- empty: the reminder is gone
    "outcome" TEXT COLLATE "C" NOT NULL -- taken, skipped, missed, asNeeded
);
CREATE INDEX "dose_fact_account" ON "dose_fact"("account_id", "at");
CREATE INDEX "dose_fact_day" ON "dose_fact"("day");

-- Members whose facts must be made again, from an instant on. Rows are appended in the transaction of
-- the change and taken by a job; there may be several for a member.
CREATE TABLE "report_due" (
    "account_id" INTEGER NOT NULL REFERENCES "account"("id") ON DELETE CASCADE,
    "from_at" TIMESTAMPTZ(3) NOT NULL
);

-- Months whose cells must be made again, likewise.
CREATE TABLE "report_stale" (
    "subject" TEXT COLLATE "C" NOT NULL,
    "month" DATE NOT NULL
);

-- Up to when the facts of a subject are made.
CREATE TABLE "report_state" (
    "subject" TEXT COLLATE "C" PRIMARY KEY,
    "as_of" TIMESTAMPTZ(3) NOT NULL
);

-- The cells of all grids: sums over the facts of a month or a day, and of how many accounts.
CREATE TABLE "report_cell" (
    "subject" TEXT COLLATE "C" NOT NULL,
    "grid" TEXT COLLATE "C" NOT NULL, -- its dimensions, in the order of the catalogue
    "date" DATE NOT NULL, -- the day, or the first of the month
    "keys" TEXT[] COLLATE "C" NOT NULL, -- of the other dimensions, in that order; empty: none
    "accounts" INTEGER NOT NULL,
    "sums" BIGINT[] NOT NULL, -- of the counts of the catalogue, in its order
    "tops" BIGINT[] NOT NULL, -- the most that one account adds to each
    PRIMARY KEY ("subject", "grid", "date", "keys")
);

-- How many questions an account asked on a day.
CREATE TABLE "report_spend" (
    "account_id" INTEGER NOT NULL REFERENCES "account"("id") ON DELETE CASCADE,
    "day" DATE NOT NULL,
    "questions" INTEGER NOT NULL,
    PRIMARY KEY ("account_id", "day")
);

CREATE FUNCTION report_dose_changed() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE changed dose;
BEGIN
    IF TG_OP = 'DELETE' THEN changed := OLD; ELSE changed := NEW; END IF;
    -- Of an account that is being erased nothing is to be made again, and nothing may stay.
    INSERT INTO report_due SELECT changed.account_id, least(changed.planned_at, changed.at)
        WHERE TG_OP <> 'DELETE' OR EXISTS (SELECT FROM account WHERE id = changed.account_id);
    RETURN NULL;
END $$;
CREATE TRIGGER "report_dose" AFTER INSERT OR UPDATE OR DELETE ON "dose"
    FOR EACH ROW EXECUTE FUNCTION report_dose_changed();

-- An edit of a reminder may change what its doses of any time count as.
CREATE FUNCTION report_reminder_changed() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO report_due SELECT coalesce(NEW.account_id, OLD.account_id), '-infinity'
        WHERE TG_OP <> 'DELETE' OR EXISTS (SELECT FROM account WHERE id = OLD.account_id);
    RETURN NULL;
END $$;
CREATE TRIGGER "report_reminder" AFTER INSERT OR DELETE ON "reminder"
    FOR EACH ROW EXECUTE FUNCTION report_reminder_changed();
CREATE TRIGGER "report_reminder_edit" AFTER UPDATE OF "kind", "name", "medicine_type", "frequency_type", "scheduled",
    "recognized", "zone", "start_local", "times", "until_at", "plan_from", "created_at", "created_date", "deleted_at" ON "reminder"
    FOR EACH ROW EXECUTE FUNCTION report_reminder_changed();

-- Days are by the member's zone of today, which a profile, a header or the site gives.
CREATE FUNCTION report_zone_changed() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    IF TG_TABLE_NAME = 'site' THEN
        INSERT INTO report_due SELECT id, '-infinity' FROM account WHERE time_zone IS NULL;
    ELSIF TG_TABLE_NAME = 'account' THEN
        INSERT INTO report_due VALUES (NEW.id, '-infinity');
        INSERT INTO report_stale SELECT DISTINCT 'dose', date_trunc('month', day)::date FROM dose_fact WHERE account_id = NEW.id;
    ELSE
        INSERT INTO report_due VALUES (NEW.account_id, '-infinity');
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER "report_account_zone" AFTER UPDATE OF "time_zone", "language_id" ON "account" FOR EACH ROW
    WHEN (OLD.time_zone IS DISTINCT FROM NEW.time_zone OR OLD.language_id <> NEW.language_id) EXECUTE FUNCTION report_zone_changed();
CREATE TRIGGER "report_learned_zone" AFTER INSERT ON "care_setting" FOR EACH ROW
    WHEN (NEW.learned_zone IS NOT NULL) EXECUTE FUNCTION report_zone_changed();
CREATE TRIGGER "report_learned_zone_edit" AFTER UPDATE OF "learned_zone" ON "care_setting" FOR EACH ROW
    WHEN (OLD.learned_zone IS DISTINCT FROM NEW.learned_zone) EXECUTE FUNCTION report_zone_changed();
CREATE TRIGGER "report_site_zone" AFTER UPDATE OF "time_zone" ON "site" FOR EACH ROW
    WHEN (OLD.time_zone IS DISTINCT FROM NEW.time_zone) EXECUTE FUNCTION report_zone_changed();

-- The cells of a month follow its facts, also when an account is erased.
CREATE FUNCTION report_facts_changed() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO report_stale SELECT DISTINCT 'dose', date_trunc('month', day)::date FROM changed;
    RETURN NULL;
END $$;
CREATE TRIGGER "report_facts_made" AFTER INSERT ON "dose_fact" REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION report_facts_changed();
CREATE TRIGGER "report_facts_gone" AFTER DELETE ON "dose_fact" REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION report_facts_changed();

-- The cells of other subjects follow the rows that are their facts. Arguments: the subject and the
-- column with the instant. The site's zone is not known here, so the months of a day before and
-- after are noted too.
CREATE FUNCTION report_row_changed() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE moment TIMESTAMPTZ;
BEGIN
    moment := CASE WHEN TG_OP = 'DELETE' THEN to_jsonb(OLD) ELSE to_jsonb(NEW) END ->> TG_ARGV[1];
    INSERT INTO report_stale SELECT DISTINCT TG_ARGV[0], date_trunc('month', moment AT TIME ZONE 'UTC' + day)::date
        FROM unnest(ARRAY['-1 day', '1 day']::interval[]) AS day;
    RETURN NULL;
END $$;
CREATE TRIGGER "report_created" AFTER INSERT OR DELETE OR UPDATE OF "deleted_at", "recognized", "medicine_type" ON "reminder"
    FOR EACH ROW EXECUTE FUNCTION report_row_changed('reminder', 'created_at');
CREATE TRIGGER "report_delivery" AFTER INSERT OR DELETE OR UPDATE OF "state" ON "delivery"
    FOR EACH ROW EXECUTE FUNCTION report_row_changed('notification', 'due_at');
CREATE TRIGGER "report_account" AFTER INSERT OR DELETE OR UPDATE OF "roles" ON "account"
    FOR EACH ROW EXECUTE FUNCTION report_row_changed('account', 'created_at');
CREATE TRIGGER "report_account_event" AFTER INSERT ON "audit_event"
    FOR EACH ROW WHEN (NEW.action IN ('account.upgrade', 'session.start')) EXECUTE FUNCTION report_row_changed('account', 'at');
CREATE TRIGGER "report_poll" AFTER INSERT OR DELETE OR UPDATE ON "poll_submission"
    FOR EACH ROW EXECUTE FUNCTION report_row_changed('poll', 'submitted_at');
CREATE TRIGGER "report_form" AFTER INSERT OR DELETE ON "form_submission"
    FOR EACH ROW EXECUTE FUNCTION report_row_changed('form', 'received_at');
CREATE TRIGGER "report_content" AFTER INSERT OR DELETE OR UPDATE OF "status", "published_at" ON "content_item"
    FOR EACH ROW EXECUTE FUNCTION report_row_changed('content', 'published_at');

-- Appointments stand on a day by the clocks of their members, before and after an edit.
CREATE FUNCTION report_appointment_changed() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO report_stale SELECT DISTINCT 'appointment', date_trunc('month', left(local, 10)::date)::date
        FROM unnest(ARRAY[OLD.start_local, NEW.start_local]) AS local
        WHERE local ~ '^\d{4}-\d{2}-\d{2}T' AND coalesce(NEW.kind, OLD.kind) = 'appointment';
    RETURN NULL;
END $$;
CREATE TRIGGER "report_appointment" AFTER INSERT OR DELETE
    OR UPDATE OF "start_local", "attended_at", "deleted_at", "scheduled", "event_type" ON "reminder"
    FOR EACH ROW EXECUTE FUNCTION report_appointment_changed();
