-- Members by their whole name, case and accents ignored. A hash has no limit for long names.
CREATE INDEX "account_folded_name" ON "account" USING hash ((folded("name")));
