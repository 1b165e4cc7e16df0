-- Languages and the types of healthcare services belong to what anonymous callers see, too.
CREATE TRIGGER public_language AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "language"
    FOR EACH STATEMENT EXECUTE FUNCTION public_changed();
CREATE TRIGGER public_service_type AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "service_type"
    FOR EACH STATEMENT EXECUTE FUNCTION public_changed();
