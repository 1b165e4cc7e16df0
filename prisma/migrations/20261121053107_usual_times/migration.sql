-- Usual times have one home, care_setting: a list of n times becomes the times for n a day.
INSERT INTO "care_setting" ("account_id", "usual_times")
SELECT "id", array_fill(''::text, ARRAY[cardinality("usual_times") - 1]) || array_to_string("usual_times", ' ')
FROM "account" WHERE cardinality("usual_times") > 0
ON CONFLICT ("account_id") DO NOTHING;

-- AlterTable
ALTER TABLE "account" DROP COLUMN "usual_times";
