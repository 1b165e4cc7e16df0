-- A step of the amounts that follows hours begins at an instant, within its day.
ALTER TABLE "dose_amount" ADD COLUMN "starts_at" TIMESTAMPTZ(3);
