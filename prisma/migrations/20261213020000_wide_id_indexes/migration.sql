-- oldest: 0.1.0
-- For what 20261213030000_wide_ids_instead makes of the copies of numbers.
DROP INDEX CONCURRENTLY IF EXISTS "dose_wide_id";
CREATE UNIQUE INDEX CONCURRENTLY "dose_wide_id" ON "dose" ("wide_id");
DROP INDEX CONCURRENTLY IF EXISTS "notification_wide_id";
CREATE UNIQUE INDEX CONCURRENTLY "notification_wide_id" ON "notification" ("wide_id");
DROP INDEX CONCURRENTLY IF EXISTS "notification_wide_list";
CREATE INDEX CONCURRENTLY "notification_wide_list" ON "notification" ("account_id", "send_at", "wide_id");
DROP INDEX CONCURRENTLY IF EXISTS "delivery_wide_device";
CREATE UNIQUE INDEX CONCURRENTLY "delivery_wide_device" ON "delivery" ("wide_notification_id", "device_id");
