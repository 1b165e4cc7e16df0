-- Amounts have four decimals: 62.5 mcg is 0.0625 mg. A scale of 4 in the place of 3 would make
-- PostgreSQL write every row of these tables again, under a lock that stops all reading. A numeric
-- without precision takes what is there as it is: only the catalogue changes, whatever the size. The
-- bounds that the types had, and the fourth decimal, are conditions instead. Rows of before fulfil
-- them, so they are not read again.
ALTER TABLE "dose" ALTER COLUMN "amount" SET DATA TYPE DECIMAL,
    ALTER COLUMN "from_stock" SET DATA TYPE DECIMAL,
    ADD CONSTRAINT "dose_amounts" CHECK ("amount" < 1000000 AND min_scale("amount") <= 4 AND "from_stock" < 10000000 AND min_scale("from_stock") <= 4) NOT VALID;

ALTER TABLE "dose_amount" ALTER COLUMN "amount" SET DATA TYPE DECIMAL,
    ADD CONSTRAINT "dose_amount_amount" CHECK ("amount" < 1000000 AND min_scale("amount") <= 4) NOT VALID;

-- The condition that an amount is not below zero is made again with its column, and reads one row for
-- each medicine whose stock is counted.
ALTER TABLE "medicine_stock" ALTER COLUMN "amount" SET DATA TYPE DECIMAL,
    ADD CONSTRAINT "medicine_stock_decimals" CHECK ("amount" < 10000000 AND min_scale("amount") <= 4) NOT VALID;

ALTER TABLE "medicine_pack" ALTER COLUMN "amount" SET DATA TYPE DECIMAL,
    ADD CONSTRAINT "medicine_pack_amount" CHECK ("amount" < 10000000 AND min_scale("amount") <= 4) NOT VALID;
