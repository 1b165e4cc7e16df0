-- oldest: 0.1.0
-- Facts of doses that came and went since the cells of their month were made: cells follow them one account at a time.
CREATE TABLE "dose_fact_change" (
    "id" BIGINT GENERATED ALWAYS AS IDENTITY,
    -- 1: came, -1: went, 0: the account itself changed, and is to be counted again.
    "sign" SMALLINT NOT NULL,
    "account_id" INTEGER NOT NULL,
    "day" DATE NOT NULL,
    "hour" SMALLINT,
    "medicine_type" TEXT COLLATE "C",
    "schedule_kind" TEXT COLLATE "C",
    "outcome" TEXT COLLATE "C",
    "late_minutes" INTEGER,
    "reminder_days" INTEGER,
    CONSTRAINT "dose_fact_change_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "dose_fact_change_day" ON "dose_fact_change"("day", "account_id");
-- It fills and empties all day, as report_due does.
ALTER TABLE "dose_fact_change" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
    autovacuum_vacuum_cost_delay = 0);

-- As what an account is counted in the cells of an open month. It outlives the account, until the cells are without it.
CREATE TABLE "report_member" (
    "subject" TEXT COLLATE "C" NOT NULL,
    "month" DATE NOT NULL,
    "account_id" INTEGER NOT NULL,
    "eligible" BOOLEAN NOT NULL,
    "language" TEXT COLLATE "C",
    CONSTRAINT "report_member_pkey" PRIMARY KEY ("subject", "month", "account_id")
);
CREATE INDEX "report_member_account" ON "report_member"("account_id");

-- Cells of which an account went that may have been the largest, or among the least hashes.
CREATE TABLE "report_loose" (
    "subject" TEXT COLLATE "C" NOT NULL,
    "grid" TEXT COLLATE "C" NOT NULL,
    "date" DATE NOT NULL,
    "keys" TEXT[] COLLATE "C" NOT NULL,
    CONSTRAINT "report_loose_pkey" PRIMARY KEY ("subject", "date", "grid", "keys")
);

-- Whether the log has what changed, so that the month need not be made again.
ALTER TABLE "report_stale" ADD COLUMN "logged" BOOLEAN NOT NULL DEFAULT false;
-- By what the cells of a month were made whose changes are logged. Null: they are not.
ALTER TABLE "report_month" ADD COLUMN "logged_by" TEXT COLLATE "C";
-- When the cells of a month may be made whole again that is long to make.
ALTER TABLE "report_month" ADD COLUMN "rests_until" TIMESTAMPTZ(3);
ALTER TABLE "report_stale" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
    autovacuum_vacuum_cost_delay = 0);
-- Cells change in place.
ALTER TABLE "report_cell" SET (fillfactor = 80);

CREATE OR REPLACE FUNCTION report_facts_changed() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO dose_fact_change (sign, account_id, day, hour, medicine_type, schedule_kind, outcome, late_minutes, reminder_days)
        SELECT CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END, c.account_id, c.day, c.hour, c.medicine_type, c.schedule_kind,
            c.outcome, c.late_minutes, c.reminder_days
        FROM changed c JOIN report_month m ON m.subject = 'dose' AND m.month = date_trunc('month', c.day)::date
        WHERE NOT m.closed AND m.logged_by IS NOT NULL;
    INSERT INTO report_stale (subject, month, logged) SELECT 'dose', c.month, m.logged_by IS NOT NULL
        FROM (SELECT DISTINCT date_trunc('month', day)::date AS month FROM changed) c
        LEFT JOIN report_month m ON m.subject = 'dose' AND m.month = c.month
        WHERE m.closed IS NOT TRUE;
    RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION report_account_erased() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO report_stale (subject, month, logged) SELECT subject, month, logged_by IS NOT NULL
        FROM report_month WHERE NOT closed;
    RETURN NULL;
END $$;

CREATE FUNCTION report_member_changed() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    WITH logged AS (INSERT INTO dose_fact_change (sign, account_id, day)
        SELECT 0, account_id, month FROM report_member WHERE account_id = NEW.id AND subject = 'dose' RETURNING day)
    INSERT INTO report_stale (subject, month, logged) SELECT 'dose', day, true FROM logged;
    RETURN NULL;
END $$;
CREATE TRIGGER "report_member" AFTER UPDATE OF "roles", "email_proven_at", "language_id", "created_at" ON "account" FOR EACH ROW
    WHEN (OLD.roles IS DISTINCT FROM NEW.roles OR OLD.email_proven_at IS DISTINCT FROM NEW.email_proven_at
        OR OLD.language_id IS DISTINCT FROM NEW.language_id OR OLD.created_at IS DISTINCT FROM NEW.created_at)
    EXECUTE FUNCTION report_member_changed();

-- A process of the version before makes whole months again, and says nothing of the log: then these are made again.
CREATE FUNCTION report_month_made() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    NEW.logged_by := NULL;
    RETURN NEW;
END $$;
CREATE TRIGGER "report_month_made" BEFORE UPDATE OF "typical" ON "report_month" FOR EACH ROW EXECUTE FUNCTION report_month_made();
