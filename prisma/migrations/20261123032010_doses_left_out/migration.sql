-- Doses that were refused, or not needed, beside those that were skipped. Rows of before fulfil the
-- narrower condition, so they are not read again.
ALTER TABLE "dose" DROP CONSTRAINT "dose_answer",
    ADD CONSTRAINT "dose_answer" CHECK ("answer" IN ('taken', 'skipped', 'refused', 'unneeded')) NOT VALID;

-- Nothing takes a stock below zero.
ALTER TABLE "medicine_stock" ADD CONSTRAINT "medicine_stock_amount" CHECK ("amount" >= 0);
