-- Submissions are kept as they came: of no form that there is, with fields that were not understood,
-- and once for a retry. Changes of the catalogue alone; the index is new and empty.
ALTER TABLE "form_submission" ALTER COLUMN "form_id" DROP NOT NULL,
    ADD COLUMN "marks" TEXT[] NOT NULL DEFAULT '{}',
    ADD COLUMN "digest" TEXT;
CREATE INDEX "form_submission_digest_received_at_idx" ON "form_submission"("digest", "received_at");
