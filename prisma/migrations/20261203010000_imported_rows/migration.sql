-- oldest: 0.1.0
-- What was imported from the original platform: a digest of each row as it was there, and of what it
-- became here. Rows of the same digest are not imported again; rows that were changed here are kept.
CREATE TABLE imported_row (
  kind TEXT NOT NULL,
  id INTEGER NOT NULL,
  source_digest TEXT NOT NULL,
  own_digest TEXT NOT NULL,
  imported_at TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (kind, id)
);
