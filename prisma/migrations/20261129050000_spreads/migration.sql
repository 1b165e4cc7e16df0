-- How late a dose was taken, in whole minutes; negative: early. Null: not taken, logged apart, or the
-- fact was made before this was noted.
ALTER TABLE "dose_fact" ADD COLUMN "late_minutes" INTEGER;

-- Whole days from when the reminder was made to the time of the dose. Null: the reminder is gone, or
-- the fact was made before this was noted.
ALTER TABLE "dose_fact" ADD COLUMN "reminder_days" INTEGER;

-- Facts that a process of the version before made during the upgrade are found by it.
CREATE INDEX "dose_fact_unspread" ON "dose_fact"("account_id", "at") WHERE "outcome" = 'taken' AND "late_minutes" IS NULL;

-- How many facts of a cell are in each bucket of its subject's spread (catalogue/spread.ts). Null: the
-- subject has none, or the cell was made before.
ALTER TABLE "report_cell" ADD COLUMN "buckets" BIGINT[];

-- Open months get buckets and cells by the new dimensions; those that are closed keep what they have.
INSERT INTO "report_due" ("account_id", "from_at") SELECT DISTINCT "account_id", '-infinity'::timestamptz FROM "dose_fact";
INSERT INTO "report_stale" SELECT "subject", "month" FROM "report_month"
WHERE NOT "closed" AND "subject" IN ('dose', 'notification', 'appointment', 'account');
