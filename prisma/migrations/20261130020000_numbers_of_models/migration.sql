-- Indexes of fields of models that hold numbers are made anew over what reads every key, a number or none: see keyOf in
-- src/domains/models/item/item-key.sql.ts, whose words the planner looks for.
DO $$ DECLARE former RECORD; BEGIN
    FOR former IN
        SELECT indexname AS name, regexp_replace(indexdef,
            'COALESCE\(\(?\(keys ->> ''(\d+)''::text\)\)?::double precision, ''-Infinity''::double precision\)',
            '(CASE jsonb_typeof(keys -> ''\1'') WHEN ''number'' THEN (keys -> ''\1'')::float8
                ELSE ''-Infinity''::float8 END)') AS made
        FROM pg_indexes
        WHERE schemaname = current_schema() AND indexname LIKE 'model\_item\_field\_%' AND indexdef LIKE '%COALESCE((%double precision%'
    LOOP
        EXECUTE format('DROP INDEX %I', former.name);
        EXECUTE former.made;
    END LOOP;
END $$;
