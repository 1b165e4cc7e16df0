-- Facts that say nothing of lateness are worked off by day: those of closed months stay in the index.
DROP INDEX "dose_fact_unspread";
CREATE INDEX "dose_fact_unspread" ON "dose_fact"("day", "at") WHERE "outcome" = 'taken' AND "late_minutes" IS NULL;
