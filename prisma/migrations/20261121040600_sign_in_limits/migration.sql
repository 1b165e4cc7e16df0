-- CreateTable
CREATE TABLE "sign_in_brake" (
    "key" TEXT NOT NULL,
    "failures" INTEGER NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,
    "forgotten_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sign_in_brake_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "familiar_address" (
    "account_id" INTEGER NOT NULL,
    "address" TEXT NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "familiar_address_pkey" PRIMARY KEY ("account_id","address")
);

-- CreateIndex
CREATE INDEX "sign_in_brake_forgotten_at_idx" ON "sign_in_brake"("forgotten_at");

-- CreateIndex
CREATE INDEX "familiar_address_seen_at_idx" ON "familiar_address"("seen_at");

-- AddForeignKey
ALTER TABLE "familiar_address" ADD CONSTRAINT "familiar_address_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
