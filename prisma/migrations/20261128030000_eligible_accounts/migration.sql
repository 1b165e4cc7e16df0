-- How many of the accounts behind a cell count for its threshold (docs/reports.md). Cells that were
-- made before have none, and are judged by all of their accounts; those of open months are made again.
INSERT INTO "report_stale" SELECT "subject", "month" FROM "report_month" WHERE NOT "closed";
ALTER TABLE "report_cell" ADD COLUMN "eligible" INTEGER;

-- How many accounts the cells of a month have in the middle: noise is measured by it.
ALTER TABLE "report_month" ADD COLUMN "typical" INTEGER;
