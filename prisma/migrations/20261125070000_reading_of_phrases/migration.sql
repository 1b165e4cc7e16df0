-- By which reading of phrases a medicine was understood, and since when its directions are in doubt.
-- Both are changes of the catalogue alone. A process of the version before writes 1, so that the job
-- looks at its rows too.
ALTER TABLE "reminder" ADD COLUMN "reading" SMALLINT NOT NULL DEFAULT 1,
    ADD COLUMN "doubted_at" TIMESTAMPTZ(3);

-- A job empties this index.
CREATE INDEX "reminder_reading" ON "reminder" ("id")
    WHERE "reading" < 2 AND "kind" = 'medicine' AND "frequency_type" <> '';
