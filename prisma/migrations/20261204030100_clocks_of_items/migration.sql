-- oldest: 0.1.0
-- Instants of imported items whose local time was not that of the site's zone, with that local time.
ALTER TABLE content_item ADD COLUMN clocks JSONB;
