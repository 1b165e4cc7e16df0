-- A token may be held by several accounts, once by each.
CREATE UNIQUE INDEX "device_token_hash_account_id_key" ON "device"("token_hash", "account_id");
DROP INDEX "device_token_hash_key";
