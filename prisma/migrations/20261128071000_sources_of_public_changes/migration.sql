-- Which table was changed, and when exactly: processes read the changes of the last minute alone.
ALTER TABLE "public_change" ADD COLUMN "source" TEXT NOT NULL DEFAULT '';
ALTER TABLE "public_change" ALTER COLUMN "at" SET DEFAULT clock_timestamp();
CREATE INDEX "public_change_at_idx" ON "public_change"("at");
CREATE OR REPLACE FUNCTION public_changed() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO public_change (source) VALUES (TG_TABLE_NAME);
    RETURN NULL;
END $$;
