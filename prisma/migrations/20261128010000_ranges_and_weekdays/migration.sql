-- A dose may be a range (1 to 2 tablets), and another amount on some weekdays (7.5 mg on Monday). Rows
-- of before have neither, so nothing is written again.
ALTER TABLE "dose_amount" ADD COLUMN "up_to" DECIMAL,
    ADD COLUMN "weekdays" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
    ADD CONSTRAINT "dose_amount_up_to" CHECK ("up_to" > "amount" AND "up_to" < 1000000 AND min_scale("up_to") <= 4) NOT VALID,
    ADD CONSTRAINT "dose_amount_weekdays" CHECK ("weekdays" <@ ARRAY[1, 2, 3, 4, 5, 6, 7]) NOT VALID;
