-- One row for each statement that changed what anonymous callers see, so that every process finds out
-- whether the answers that it keeps still hold. The rows are forgotten after some minutes.
CREATE TABLE "public_change" (
    "id" BIGINT GENERATED ALWAYS AS IDENTITY,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "public_change_pkey" PRIMARY KEY ("id")
);

CREATE FUNCTION public_changed() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO public_change DEFAULT VALUES;
    RETURN NULL;
END $$;

CREATE TRIGGER public_item AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "content_item"
    FOR EACH STATEMENT EXECUTE FUNCTION public_changed();
CREATE TRIGGER public_filing AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "content_term"
    FOR EACH STATEMENT EXECUTE FUNCTION public_changed();
CREATE TRIGGER public_term AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "term"
    FOR EACH STATEMENT EXECUTE FUNCTION public_changed();
CREATE TRIGGER public_media AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "media"
    FOR EACH STATEMENT EXECUTE FUNCTION public_changed();
CREATE TRIGGER public_site AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "site"
    FOR EACH STATEMENT EXECUTE FUNCTION public_changed();
-- Of accounts, authors show these columns.
CREATE TRIGGER public_author AFTER UPDATE OF "username", "name", "slug", "url", "description", "email" OR DELETE OR TRUNCATE
    ON "account" FOR EACH STATEMENT EXECUTE FUNCTION public_changed();
