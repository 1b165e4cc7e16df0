-- oldest: 0.1.0
-- Each erasure locks the administrators: without this index it reads all accounts to find them.
DROP INDEX CONCURRENTLY IF EXISTS "account_administrator";
CREATE INDEX CONCURRENTLY "account_administrator" ON "account" ("id") WHERE 'administrator' = ANY ("roles");
