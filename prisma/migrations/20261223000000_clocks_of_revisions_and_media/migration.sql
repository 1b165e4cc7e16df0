-- oldest: 0.1.0
-- Local times of imported revisions and media that were not those of the site's zone, as items have them.
ALTER TABLE revision ADD COLUMN clocks JSONB;
ALTER TABLE media ADD COLUMN clocks JSONB;
