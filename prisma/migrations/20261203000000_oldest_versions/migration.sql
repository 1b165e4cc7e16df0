-- oldest: 0.1.0
-- What each migration declares: the oldest version of the service that runs on what it leaves.
CREATE TABLE migration_oldest (
  migration TEXT PRIMARY KEY,
  oldest TEXT NOT NULL
);
