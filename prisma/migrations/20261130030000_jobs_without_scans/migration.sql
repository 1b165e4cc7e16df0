-- Background jobs find what they work on by an index, and what they cannot do keeps nothing behind it waiting.
-- The lock on accounts, for which most wait, comes last.
CREATE INDEX "reminder_appointment_day" ON "reminder" ((left("start_local", 10)))
    WHERE "kind" = 'appointment' AND "scheduled" AND "deleted_at" IS NULL;
CREATE INDEX "channel_unverified" ON "channel"("device_id") WHERE "verified_at" IS NULL;
-- The encrypted addresses of channels by the name of their key.
CREATE INDEX "device_address_key" ON "device" ((split_part("token", '.', 1)), "id") WHERE "kind" IN ('sms', 'chat');
-- Marks on a member whose facts cannot be made wait.
ALTER TABLE "report_due" ADD COLUMN "retry_at" TIMESTAMPTZ(3);
ALTER TABLE "account" ADD COLUMN "idle_since" TIMESTAMPTZ(3);
DROP INDEX "account_guest";
CREATE INDEX "account_guest" ON "account" ((COALESCE("idle_since", "created_at"))) WHERE "roles" = '{guest}';
-- Accounts that become eligible by a proof of their address.
CREATE INDEX "account_email_proven_at_idx" ON "account"("email_proven_at");
