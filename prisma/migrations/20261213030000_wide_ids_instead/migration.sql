-- oldest: 0.2.0
-- from: 0.3.0
-- squawk-ignore-file ban-drop-table, adding-not-nullable-field, renaming-column, ban-drop-column
-- The copies of 64 bits take the place of the numbers of doses and notifications. Nothing is read or written for it but the
-- catalogue: versions from 0.2.0 on run on both, and a proven CHECK stands for each NOT NULL.
DO $$
DECLARE missing TEXT;
BEGIN
    SELECT string_agg(c.name, ', ') INTO missing FROM (VALUES
            ('dose', EXISTS (SELECT FROM dose)), ('notification', EXISTS (SELECT FROM notification)),
            ('delivery', EXISTS (SELECT FROM delivery)), ('idempotent_change', EXISTS (SELECT FROM idempotent_change))
        ) AS c (name, has_rows)
        WHERE has_rows AND NOT EXISTS (SELECT FROM pg_constraint
            WHERE conname = c.name || '_wide' AND conrelid = c.name::regclass AND convalidated);
    IF missing IS NOT NULL THEN
        RAISE 'The numbers of % are not all copied yet: run version 0.2.0 until its job "wide ids" has done so', missing;
    END IF;
END $$;

DROP TRIGGER "dose_widen" ON "dose";
DROP TRIGGER "notification_widen" ON "notification";
DROP TRIGGER "delivery_widen" ON "delivery";
DROP TRIGGER "idempotent_change_widen" ON "idempotent_change";
DROP FUNCTION widen_id();
DROP FUNCTION widen_notification_id();
DROP FUNCTION widen_row_id();
DROP TABLE "wide_column";

-- Statements of their own: one that drops the CHECK as well drops it first, and then reads the table.
ALTER TABLE "dose" ALTER COLUMN "wide_id" SET NOT NULL;
ALTER TABLE "notification" ALTER COLUMN "wide_id" SET NOT NULL;
ALTER TABLE "delivery" ALTER COLUMN "wide_notification_id" SET NOT NULL;
ALTER TABLE "idempotent_change" ALTER COLUMN "wide_row_id" SET NOT NULL;

ALTER TABLE "dose" DROP CONSTRAINT IF EXISTS "dose_wide", DROP CONSTRAINT "dose_pkey";
ALTER TABLE "dose" RENAME COLUMN "id" TO "narrow_id";
ALTER TABLE "dose" RENAME COLUMN "wide_id" TO "id";
ALTER SEQUENCE "dose_id_seq" AS BIGINT OWNED BY "dose"."id";
ALTER TABLE "dose" ALTER COLUMN "id" SET DEFAULT nextval('dose_id_seq'), DROP COLUMN "narrow_id",
    ADD CONSTRAINT "dose_pkey" PRIMARY KEY USING INDEX "dose_wide_id";

ALTER TABLE "delivery" DROP CONSTRAINT "delivery_notification_id_fkey";
ALTER TABLE "notification" DROP CONSTRAINT IF EXISTS "notification_wide", DROP CONSTRAINT "notification_pkey";
ALTER TABLE "notification" RENAME COLUMN "id" TO "narrow_id";
ALTER TABLE "notification" RENAME COLUMN "wide_id" TO "id";
ALTER SEQUENCE "notification_id_seq" AS BIGINT OWNED BY "notification"."id";
ALTER TABLE "notification" ALTER COLUMN "id" SET DEFAULT nextval('notification_id_seq'), DROP COLUMN "narrow_id",
    ADD CONSTRAINT "notification_pkey" PRIMARY KEY USING INDEX "notification_wide_id";
ALTER INDEX "notification_wide_list" RENAME TO "notification_account_id_send_at_id_idx";

ALTER TABLE "delivery" DROP CONSTRAINT IF EXISTS "delivery_wide", DROP COLUMN "notification_id";
ALTER TABLE "delivery" RENAME COLUMN "wide_notification_id" TO "notification_id";
ALTER INDEX "delivery_wide_device" RENAME TO "delivery_notification_id_device_id_key";
ALTER TABLE "delivery" ADD CONSTRAINT "delivery_notification_id_fkey" FOREIGN KEY ("notification_id")
    REFERENCES "notification" ("id") ON DELETE CASCADE ON UPDATE CASCADE NOT VALID;

ALTER TABLE "idempotent_change" DROP CONSTRAINT IF EXISTS "idempotent_change_wide", DROP COLUMN "row_id";
ALTER TABLE "idempotent_change" RENAME COLUMN "wide_row_id" TO "row_id";

DROP FUNCTION report_deliveries_note(INTEGER[], TIMESTAMPTZ[]);
