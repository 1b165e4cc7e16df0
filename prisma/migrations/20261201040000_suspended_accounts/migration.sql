-- Accounts to which nobody signs in.
ALTER TABLE "account" ADD COLUMN "suspended_at" TIMESTAMPTZ(3),
ADD COLUMN "reminders_stopped" BOOLEAN NOT NULL DEFAULT false;
