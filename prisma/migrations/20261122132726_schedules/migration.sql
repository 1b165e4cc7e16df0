-- AlterTable
ALTER TABLE "site" ADD COLUMN     "zone_changed_at" TIMESTAMPTZ(3);

-- Frequencies were understood without what stands between their digits: "2-3 times a day" as 23 times. Such a reminder was never what its
-- member meant: it is not understood any more, like one that is made today, and its member is told once the service runs.
WITH misread AS (
  UPDATE "reminder" SET "recognized" = false, "plan_at" = NULL, "version" = "version" + 1
  WHERE "kind" = 'medicine' AND "recognized" AND "deleted_at" IS NULL AND "frequency_type" !~* 'FREQ='
    AND "frequency_type" ~* '[0-9][^0-9a-z]+[0-9]|(^|[[:space:]_-])-[0-9]|-[[:space:]_]+[0-9]|[0-9]-([^a-z]|$)|[0-9][[:space:]_]+-'
  RETURNING "id", "account_id"
), cancelled AS (
  DELETE FROM "occurrence" USING misread WHERE "occurrence"."reminder_id" = misread."id" AND "occurrence"."state" = 'planned'
)
INSERT INTO "notification" ("account_id", "kind", "title", "body", "data", "message_id", "occurrence_ids", "state", "created_at", "send_at")
SELECT m."account_id", 'reminder_unrecognized',
  CASE WHEN l."code" LIKE 'de%' THEN 'Dieses Medikament klingelt nicht' ELSE 'This medicine will not ring' END,
  CASE WHEN l."code" LIKE 'de%'
    THEN 'Wie oft Sie eines Ihrer Medikamente nehmen, wurde nicht verstanden. Bitte öffnen Sie es und wählen Sie, wann es klingelt.'
    ELSE 'How often you take one of your medicines was not understood. Please open it and choose when to be reminded.' END,
  '{"type":"reminder_unrecognized","reminder_ids":[' || m."id" || ']}', gen_random_uuid(), '{}', 'planned', now(), now()
FROM misread m JOIN "account" a ON a."id" = m."account_id" JOIN "language" l ON l."id" = a."language_id";
