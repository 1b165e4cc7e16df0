-- When somebody confirmed the directions of a medicine as they were understood. A change of the
-- catalogue alone; the version before does not write it.
ALTER TABLE "reminder" ADD COLUMN "confirmed_at" TIMESTAMPTZ(3);
