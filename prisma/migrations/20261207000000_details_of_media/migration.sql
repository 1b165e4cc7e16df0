-- oldest: 0.1.0
-- What the original showed of the file of an imported medium; null for media of this service.
ALTER TABLE "media" ADD COLUMN "details" JSONB;
