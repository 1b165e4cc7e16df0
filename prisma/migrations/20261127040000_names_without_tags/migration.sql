-- A name cannot hold the start of a tag any more (src/platform/plain-name.ts). Those stored before
-- are cleaned once: each such "<" becomes a blank. Where there is none, nothing public has changed.
DO $$
BEGIN
    IF EXISTS (SELECT FROM account WHERE name ~ '<[a-zA-Z/!?]') THEN
        UPDATE account SET name = coalesce(nullif(btrim(regexp_replace(name, '<(?=[a-zA-Z/!?])', ' ', 'g')), ''), 'Member')
        WHERE name ~ '<[a-zA-Z/!?]';
    END IF;
END
$$;
