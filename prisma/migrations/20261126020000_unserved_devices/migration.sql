-- A device whose kind has no provider gets nothing; its member is told when it first misses a message.
ALTER TABLE "device" ADD COLUMN "unserved_at" TIMESTAMPTZ(3);
