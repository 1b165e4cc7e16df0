-- oldest: 0.1.0
-- Which item of a model here is which of the original, where each model numbers its items apart.
CREATE TABLE imported_item (
  definition_id INTEGER NOT NULL,
  source_id INTEGER NOT NULL,
  id INTEGER NOT NULL UNIQUE,
  PRIMARY KEY (definition_id, source_id)
);
