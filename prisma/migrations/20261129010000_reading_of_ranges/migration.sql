-- Ranges of amounts (1 to 2 tablets) had no rows, and short weekdays are read in more languages:
-- the job looks at all phrases of before again, and empties this index.
DROP INDEX "reminder_reading";
CREATE INDEX "reminder_reading" ON "reminder" ("id")
    WHERE "reading" < 3 AND "kind" = 'medicine' AND "frequency_type" <> '' AND "deleted_at" IS NULL;
