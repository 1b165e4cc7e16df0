-- oldest: 0.1.0
-- Where a file of the original was read, below its folder of uploads; null for files of this service.
ALTER TABLE "media_file" ADD COLUMN "path" TEXT;
