-- AlterTable
ALTER TABLE "application_password" ADD COLUMN     "app_id" UUID;

-- AlterTable
ALTER TABLE "session" ADD COLUMN     "kind" TEXT NOT NULL DEFAULT 'api';

-- CreateTable
CREATE TABLE "identity" (
    "id" SERIAL NOT NULL,
    "account_id" INTEGER NOT NULL,
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "email" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "identity_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "used_provider_token" (
    "hash" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "used_provider_token_pkey" PRIMARY KEY ("hash")
);

-- CreateIndex
CREATE INDEX "identity_account_id_idx" ON "identity"("account_id");

-- CreateIndex
CREATE UNIQUE INDEX "identity_issuer_subject_key" ON "identity"("issuer", "subject");

-- CreateIndex
CREATE INDEX "used_provider_token_expires_at_idx" ON "used_provider_token"("expires_at");

-- AddForeignKey
ALTER TABLE "identity" ADD CONSTRAINT "identity_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
