-- 40 mg daily bd may be 40 mg each time or in all, and a course within one cycle has no meaning: the
-- job looks at all phrases of before again, and empties this index.
DROP INDEX "reminder_reading";
CREATE INDEX "reminder_reading" ON "reminder" ("id")
    WHERE "reading" < 4 AND "kind" = 'medicine' AND "frequency_type" <> '' AND "deleted_at" IS NULL;
