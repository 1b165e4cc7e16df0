-- oldest: 0.1.0
DROP INDEX CONCURRENTLY IF EXISTS "media_file_path_idx";
CREATE INDEX CONCURRENTLY "media_file_path_idx" ON "media_file" ("path");
