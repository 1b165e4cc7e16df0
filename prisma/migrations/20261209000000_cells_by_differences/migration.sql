-- oldest: 0.1.0
-- Accounts that are to be counted again in the cells of a month: a fact of theirs came, went or changed, or they themselves
-- did. The cells of a month that is being made are those of the subject with a plus: report_building.
CREATE TABLE "report_change" (
    "id" BIGINT GENERATED ALWAYS AS IDENTITY,
    "subject" TEXT COLLATE "C" NOT NULL,
    "month" DATE NOT NULL,
    "account_id" INTEGER NOT NULL,
    CONSTRAINT "report_change_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "report_change_month" ON "report_change"("subject", "month", "account_id");
-- It fills and empties all day, as report_due does.
ALTER TABLE "report_change" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
    autovacuum_vacuum_cost_delay = 0);

-- As what an account is counted in the cells of an open month, and its facts. It outlives the account, until the cells are
-- without it.
CREATE TABLE "report_member" (
    "subject" TEXT COLLATE "C" NOT NULL,
    "month" DATE NOT NULL,
    "account_id" INTEGER NOT NULL,
    "eligible" BOOLEAN NOT NULL,
    "language" TEXT COLLATE "C",
    "facts" JSONB NOT NULL,
    CONSTRAINT "report_member_pkey" PRIMARY KEY ("subject", "month", "account_id")
);
CREATE INDEX "report_member_account" ON "report_member"("account_id");

-- Cells of which an account went that may have been the largest, or among the least hashes.
CREATE TABLE "report_loose" (
    "subject" TEXT COLLATE "C" NOT NULL,
    "month" DATE NOT NULL,
    CONSTRAINT "report_loose_pkey" PRIMARY KEY ("subject", "month")
);

-- Months whose cells are being made, some accounts at a time; by what, and since when.
CREATE TABLE "report_building" (
    "subject" TEXT COLLATE "C" NOT NULL,
    "month" DATE NOT NULL,
    "made_by" TEXT COLLATE "C" NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "report_building_pkey" PRIMARY KEY ("subject", "month")
);

-- By what the cells of a month were made that follow what changes. Null: they do not.
ALTER TABLE "report_month" ADD COLUMN "logged_by" TEXT COLLATE "C";
-- When the cells of a month may be made whole again that is long to make.
ALTER TABLE "report_month" ADD COLUMN "rests_until" TIMESTAMPTZ(3);
ALTER TABLE "report_stale" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
    autovacuum_vacuum_cost_delay = 0);
-- Cells change in place.
ALTER TABLE "report_cell" SET (fillfactor = 80);

-- Notes what an account changed in some months: where cells follow, or are being made, the account; else the month.
CREATE FUNCTION report_note(whose TEXT, member INTEGER, months DATE[]) RETURNS VOID LANGUAGE plpgsql AS $$
BEGIN
    WITH noted AS (
        SELECT u.month, m.logged_by IS NOT NULL AS follows, b.month IS NOT NULL AS building
        FROM (SELECT DISTINCT unnest(months) AS month) u
        LEFT JOIN report_month m ON m.subject = whose AND m.month = u.month
        LEFT JOIN report_building b ON b.subject = whose AND b.month = u.month
        WHERE u.month IS NOT NULL AND m.closed IS NOT TRUE
    ), changed AS (
        INSERT INTO report_change (subject, month, account_id)
        SELECT whose, month, member FROM noted WHERE follows
        UNION ALL SELECT whose || '+', month, member FROM noted WHERE building
    )
    INSERT INTO report_stale (subject, month) SELECT whose, month FROM noted WHERE NOT follows AND NOT building;
END $$;

CREATE OR REPLACE FUNCTION report_facts_changed() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    WITH noted AS (
        SELECT u.month, m.logged_by IS NOT NULL AS follows, b.month IS NOT NULL AS building
        FROM (SELECT DISTINCT date_trunc('month', day)::date AS month FROM changed) u
        LEFT JOIN report_month m ON m.subject = 'dose' AND m.month = u.month
        LEFT JOIN report_building b ON b.subject = 'dose' AND b.month = u.month
        WHERE m.closed IS NOT TRUE
    ), accounts AS (
        INSERT INTO report_change (subject, month, account_id)
        SELECT CASE WHEN plus THEN 'dose+' ELSE 'dose' END, month, account_id
        FROM (SELECT DISTINCT date_trunc('month', day)::date AS month, account_id FROM changed) c
        JOIN noted USING (month) CROSS JOIN unnest('{true,false}'::boolean[]) AS plus
        WHERE CASE WHEN plus THEN building ELSE follows END
    )
    INSERT INTO report_stale (subject, month) SELECT 'dose', month FROM noted WHERE NOT follows AND NOT building;
    RETURN NULL;
END $$;

-- The cells of other subjects follow the rows that are their facts. Argument: the subject. The site's zone is not known
-- here, so the months of a day before and after are noted too.
CREATE OR REPLACE FUNCTION report_row_changed() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
    members INTEGER[];
    moments TIMESTAMPTZ[];
BEGIN
    IF TG_TABLE_NAME = 'delivery' THEN
        members := ARRAY(SELECT account_id FROM notification WHERE id = NEW.notification_id);
        moments := ARRAY[NEW.due_at];
    ELSIF TG_TABLE_NAME = 'content_item' THEN
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
-- What is planned is no fact yet.
DROP TRIGGER "report_delivery" ON "delivery";
CREATE TRIGGER "report_delivery" AFTER INSERT ON "delivery" FOR EACH ROW
    WHEN (NEW.state IN ('accepted', 'sent', 'failed', 'dead', 'missed')) EXECUTE FUNCTION report_row_changed('notification');
CREATE TRIGGER "report_delivery_state" AFTER UPDATE OF "state" ON "delivery" FOR EACH ROW
    WHEN (OLD.state IS DISTINCT FROM NEW.state) EXECUTE FUNCTION report_row_changed('notification');
DROP TRIGGER "report_content" ON "content_item";
CREATE TRIGGER "report_content" AFTER INSERT OR DELETE OR UPDATE OF "status", "published_at", "kind", "format", "revision_count"
    ON "content_item" FOR EACH ROW EXECUTE FUNCTION report_row_changed('content');

CREATE OR REPLACE FUNCTION report_appointment_changed() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    PERFORM report_note('appointment', member, ARRAY(SELECT date_trunc('month', left(local, 10)::date)::date
        FROM unnest(ARRAY[OLD.start_local, NEW.start_local]) AS local WHERE local ~ '^\d{4}-\d{2}-\d{2}T'))
        FROM (SELECT DISTINCT unnest(ARRAY[OLD.account_id, NEW.account_id]) AS member) m
        WHERE member IS NOT NULL AND coalesce(NEW.kind, OLD.kind) = 'appointment';
    RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION report_cohort_dose() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    PERFORM report_note('cohort', member, ARRAY(SELECT
        date_trunc('month', date_trunc('week', moment AT TIME ZONE 'UTC' + days * interval '1 day'))::date
        FROM unnest(ARRAY[OLD.at, NEW.at]) AS moment, unnest(ARRAY[-1, 1, 8, 15, 22]) AS days))
        FROM (SELECT DISTINCT unnest(ARRAY[OLD.account_id, NEW.account_id]) AS member) m WHERE member IS NOT NULL;
    RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION report_cohort_changed() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
    first TIMESTAMP := least(NEW.created_at, OLD.created_at) AT TIME ZONE 'UTC';
    last TIMESTAMP := greatest(NEW.created_at, OLD.created_at) AT TIME ZONE 'UTC';
    noted TIMESTAMP := (SELECT as_of AT TIME ZONE 'UTC' FROM report_state WHERE subject = 'missed');
    members INTEGER[];
BEGIN
    -- Monday is that of the site's zone, and a week is over in every zone 36 hours after its last day began.
    IF noted >= date_trunc('week', first - interval '12 hours') + interval '180 hours' THEN
        IF TG_TABLE_NAME = 'account' THEN
            members := ARRAY[NEW.id];
        ELSE
            members := ARRAY[OLD.account_id, NEW.account_id];
        END IF;
        PERFORM report_note(TG_ARGV[0], member, ARRAY(SELECT month::date
            FROM generate_series(date_trunc('month', first - interval '8 days'), last + interval '14 months', interval '1 month') AS month
            WHERE month <= noted))
            FROM (SELECT DISTINCT unnest(members) AS member) m WHERE member IS NOT NULL;
    END IF;
    RETURN NULL;
END $$;

-- An account that is erased, or is counted as another one from now on, is counted again where it is counted; months that do
-- not follow are made again when one is erased. The numbers of items are no accounts.
CREATE FUNCTION report_member_changed() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE member INTEGER;
BEGIN
    IF TG_TABLE_NAME = 'account' THEN
        member := coalesce(NEW.id, OLD.id);
    ELSE
        member := NEW.account_id;
    END IF;
    INSERT INTO report_change (subject, month, account_id) SELECT subject, month, account_id FROM report_member
        WHERE account_id = member AND subject NOT IN ('content', 'content+');
    RETURN NULL;
END $$;
CREATE TRIGGER "report_member" AFTER UPDATE OF "roles", "email_proven_at", "language_id", "created_at", "time_zone" ON "account" FOR EACH ROW
    WHEN (OLD.roles IS DISTINCT FROM NEW.roles OR OLD.email_proven_at IS DISTINCT FROM NEW.email_proven_at
        OR OLD.language_id IS DISTINCT FROM NEW.language_id OR OLD.created_at IS DISTINCT FROM NEW.created_at
        OR OLD.time_zone IS DISTINCT FROM NEW.time_zone)
    EXECUTE FUNCTION report_member_changed();
CREATE TRIGGER "report_member_gone" AFTER DELETE ON "account" FOR EACH ROW EXECUTE FUNCTION report_member_changed();
CREATE TRIGGER "report_member_learned" AFTER INSERT OR UPDATE OF "learned_zone" ON "care_setting" FOR EACH ROW
    EXECUTE FUNCTION report_member_changed();
CREATE TRIGGER "report_member_device" AFTER UPDATE OF "platform" ON "device" FOR EACH ROW
    WHEN (OLD.platform IS DISTINCT FROM NEW.platform) EXECUTE FUNCTION report_member_changed();

CREATE OR REPLACE FUNCTION report_account_erased() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO report_stale (subject, month) SELECT subject, month FROM report_month m WHERE NOT closed AND logged_by IS NULL
        AND NOT EXISTS (SELECT FROM report_building b WHERE b.subject = m.subject AND b.month = m.month);
    RETURN NULL;
END $$;

-- A process of the version before makes whole months again, and says nothing of what follows: then these are made again.
CREATE FUNCTION report_month_made() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    NEW.logged_by := NULL;
    RETURN NEW;
END $$;
CREATE TRIGGER "report_month_made" BEFORE UPDATE OF "typical" ON "report_month" FOR EACH ROW EXECUTE FUNCTION report_month_made();
