-- oldest: 0.1.0
-- Medicines that were read before 8, for the job `reading of phrases`.
DROP INDEX CONCURRENTLY IF EXISTS "reminder_reading";
CREATE INDEX CONCURRENTLY "reminder_reading" ON "reminder" ("id")
  WHERE "reading" < 8 AND "kind" = 'medicine' AND "frequency_type" <> '' AND "deleted_at" IS NULL;
