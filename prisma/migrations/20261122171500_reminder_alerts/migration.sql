-- An occurrence is an instant; what the table holds is the alerts about it, each with its cause.
ALTER TABLE "occurrence" RENAME TO "reminder_alert";
ALTER TABLE "reminder_alert" ADD COLUMN "cause" TEXT NOT NULL DEFAULT 'due';

-- Rows that are alerts at their time are not touched: they have the cause and the repetition already.
-- The index over the channel goes first, so that the update need not keep it.
DROP INDEX "occurrence_reminder_id_planned_at_due_at_channel_key";
UPDATE "reminder_alert" SET
  "cause" = CASE WHEN "channel" = 'carers' THEN 'carers'
    WHEN "repetition" IS NULL THEN 'snooze' ELSE 'repeat' END,
  "repetition" = COALESCE("repetition", 0)
WHERE "channel" = 'carers' OR "repetition" IS DISTINCT FROM 0;

-- Dropping the column drops its check.
ALTER TABLE "reminder_alert"
  DROP COLUMN "channel",
  ALTER COLUMN "cause" DROP DEFAULT,
  ALTER COLUMN "repetition" SET NOT NULL,
  ADD CONSTRAINT "reminder_alert_cause" CHECK ("cause" IN ('due', 'repeat', 'snooze', 'carers')),
  ADD CONSTRAINT "reminder_alert_repetition" CHECK (CASE "cause"
    WHEN 'repeat' THEN "repetition" > 0 WHEN 'carers' THEN "repetition" >= 0 ELSE "repetition" = 0 END);

-- By hand: what Prisma cannot say. At one instant the member gets one alert about an occurrence,
-- whatever its cause, and carers get one.
CREATE UNIQUE INDEX "reminder_alert_once"
  ON "reminder_alert"("reminder_id", "planned_at", "due_at", ("cause" = 'carers'));

ALTER TABLE "reminder_alert" RENAME CONSTRAINT "occurrence_pkey" TO "reminder_alert_pkey";
ALTER TABLE "reminder_alert" RENAME CONSTRAINT "occurrence_reminder_id_fkey" TO "reminder_alert_reminder_id_fkey";
ALTER TABLE "reminder_alert" RENAME CONSTRAINT "occurrence_account_id_fkey" TO "reminder_alert_account_id_fkey";
ALTER TABLE "reminder_alert" RENAME CONSTRAINT "occurrence_state" TO "reminder_alert_state";
ALTER SEQUENCE "occurrence_id_seq" RENAME TO "reminder_alert_id_seq";
ALTER INDEX "occurrence_account_id_due_at_idx" RENAME TO "reminder_alert_account_id_due_at_idx";
ALTER INDEX "occurrence_due_at_idx" RENAME TO "reminder_alert_due_at_idx";
ALTER INDEX "occurrence_due" RENAME TO "reminder_alert_due";
ALTER INDEX "occurrence_planned" RENAME TO "reminder_alert_planned";

-- Last, so that notifications are locked for no longer than the renaming takes.
ALTER TABLE "notification" RENAME COLUMN "occurrence_ids" TO "alert_ids";
