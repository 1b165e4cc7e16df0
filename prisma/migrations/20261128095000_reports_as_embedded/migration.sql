-- The report as it was embedded, for those who embed that of somebody else. Where it was changed
-- since, nobody knows what was embedded: it stays null, and the embedded report has ended.
ALTER TABLE "report_embed" ADD COLUMN "embedded" JSONB;
UPDATE "report_embed" e SET "embedded" = jsonb_build_object('name', r.name, 'query', r.query,
    'variables', r.variables, 'view', r.view, 'measure', r.measure, 'version', r.version)
  FROM "saved_report" r
  WHERE r.id = e.report_id AND r.account_id <> e.account_id AND r.modified_at <= e.created_at;
