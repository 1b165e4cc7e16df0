-- Who is behind a cell, as the 512 least hashes of accounts: of cells that are joined, the least of
-- all say how many different accounts there are (k minimum values, Bar-Yossef et al. 2002).
ALTER TABLE "report_cell" ADD COLUMN "sketch" INTEGER[] NOT NULL DEFAULT '{}';

-- Mixes the bits of a number; different numbers have different hashes.
CREATE FUNCTION report_hash(number INTEGER) RETURNS INTEGER LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT (((b >> 16) # b) - 2147483648)::int
    FROM (SELECT (((a >> 16) # a) * 73244475) & 4294967295 AS b
        FROM (SELECT (((n >> 16) # n) * 73244475) & 4294967295 AS a
            FROM (SELECT number::bigint & 4294967295 AS n) x) y) z
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
