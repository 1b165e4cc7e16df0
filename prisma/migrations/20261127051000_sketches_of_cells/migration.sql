-- Mixes the id of an account with a key into 32 bits.
CREATE FUNCTION report_hash(key BYTEA, number INTEGER) RETURNS INTEGER LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT ('x' || left(encode(sha256(key || int4send(number)), 'hex'), 8))::bit(32)::int
$$;

CREATE FUNCTION report_joined(one INTEGER[], other INTEGER[]) RETURNS INTEGER[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT ARRAY(SELECT DISTINCT hash FROM unnest(one || other) AS hash ORDER BY hash LIMIT 512)
$$;
CREATE AGGREGATE report_union(INTEGER[]) (SFUNC = report_joined, STYPE = INTEGER[], INITCOND = '{}');

-- How many different accounts a sketch stands for: exact below 512.
CREATE FUNCTION report_distinct(sketch INTEGER[]) RETURNS INTEGER LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN cardinality(sketch) < 512 THEN cardinality(sketch)
        ELSE round(511 * 4294967296.0 / (sketch[512]::bigint + 2147483649))::int END
$$;

-- Weeks and quarters of the cells that there are: months of the past are not made again, since some
-- of their facts are deleted. Sums add up. How many different accounts there are is not known: a
-- joined cell is shown where one of its parts is (rollup/longer-cell.sql.ts).
INSERT INTO "report_cell" ("subject", "grid", "date", "keys", "accounts", "sums", "tops")
SELECT "subject", longer, first, "keys",
    CASE WHEN max("accounts") >= 5 THEN sum("accounts") ELSE max("accounts") END,
    (ARRAY[sum("sums"[1]), sum("sums"[2]), sum("sums"[3]), sum("sums"[4]), sum("sums"[5])])[1:max(cardinality("sums"))],
    (ARRAY[sum("tops"[1]), sum("tops"[2]), sum("tops"[3]), sum("tops"[4]), sum("tops"[5])])[1:max(cardinality("tops"))]
FROM (SELECT *,
        CASE WHEN "grid" ~ '^day( |$)' THEN 'week' || substr("grid", 4) ELSE trim('quarter ' || "grid") END AS longer,
        date_trunc(CASE WHEN "grid" ~ '^day( |$)' THEN 'week' ELSE 'quarter' END, "date")::date AS first
    FROM "report_cell") part
GROUP BY "subject", longer, first, "keys";

-- Appointments to come are in cells that were made before, and count nowhere now.
INSERT INTO "report_stale" SELECT "subject", "month" FROM "report_month"
WHERE "subject" = 'appointment' AND "month" >= date_trunc('month', now()) - interval '1 month';

-- Who is behind a cell, as the 512 least hashes of accounts: of cells that are joined, the least of
-- all say how many different accounts there are (k minimum values, Bar-Yossef et al. 2002). The key
-- of the hashes is not in the database: only its id is. Cells that were made before have no sketch.
-- It comes last, since it locks the table.
ALTER TABLE "report_cell" ADD COLUMN "sketch" INTEGER[], ADD COLUMN "sketch_key" TEXT COLLATE "C";
