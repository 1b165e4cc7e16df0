-- Rows are taken from the oldest on, and those of a member by an index.
ALTER TABLE "report_due" ADD COLUMN "id" BIGINT GENERATED ALWAYS AS IDENTITY;
ALTER TABLE "report_due" ADD CONSTRAINT "report_due_pkey" PRIMARY KEY ("id");
CREATE INDEX "report_due_account_id_idx" ON "report_due"("account_id");
-- It fills and empties all day: dead rows at its beginning are read until they are gone.
ALTER TABLE "report_due" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
    autovacuum_vacuum_cost_delay = 0);
