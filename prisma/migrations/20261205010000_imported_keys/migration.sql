-- oldest: 0.1.0
-- Which row here is which of the original, where it could not keep its number.
CREATE TABLE imported_key (
  kind TEXT NOT NULL,
  source TEXT NOT NULL,
  id INTEGER NOT NULL,
  PRIMARY KEY (kind, source),
  UNIQUE (kind, id)
);
