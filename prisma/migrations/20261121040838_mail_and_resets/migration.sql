-- AlterTable
ALTER TABLE "outgoing_mail" ALTER COLUMN "due_at" DROP NOT NULL;

-- CreateTable
CREATE TABLE "password_reset" (
    "address" TEXT NOT NULL,
    "email" TEXT,
    "requested_at" TIMESTAMPTZ(3),
    "account_id" INTEGER,
    "code_hash" TEXT,
    "expires_at" TIMESTAMPTZ(3),
    "tries" INTEGER NOT NULL DEFAULT 0,
    "issued_at" TIMESTAMPTZ(3)[],
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "password_reset_pkey" PRIMARY KEY ("address")
);

-- CreateTable
CREATE TABLE "mail_connection" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "mailbox" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "refresh_token" TEXT NOT NULL,
    "access_token" TEXT,
    "access_expires_at" TIMESTAMPTZ(3),
    "refreshing_until" TIMESTAMPTZ(3),
    "connected_at" TIMESTAMPTZ(3) NOT NULL,
    "connected_by_id" INTEGER,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "mail_connection_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "mail_connection_attempt" (
    "state" TEXT NOT NULL,
    "verifier" TEXT NOT NULL,
    "redirect_uri" TEXT NOT NULL,
    "account_id" INTEGER NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "mail_connection_attempt_pkey" PRIMARY KEY ("state")
);

-- CreateIndex
CREATE INDEX "password_reset_requested_at_idx" ON "password_reset"("requested_at");

-- CreateIndex
CREATE INDEX "password_reset_account_id_idx" ON "password_reset"("account_id");

-- CreateIndex
CREATE INDEX "password_reset_updated_at_idx" ON "password_reset"("updated_at");

-- CreateIndex
CREATE INDEX "mail_connection_connected_by_id_idx" ON "mail_connection"("connected_by_id");

-- CreateIndex
CREATE INDEX "mail_connection_attempt_account_id_idx" ON "mail_connection_attempt"("account_id");

-- CreateIndex
CREATE INDEX "outgoing_mail_created_at_idx" ON "outgoing_mail"("created_at");

-- AddForeignKey
ALTER TABLE "password_reset" ADD CONSTRAINT "password_reset_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mail_connection" ADD CONSTRAINT "mail_connection_connected_by_id_fkey" FOREIGN KEY ("connected_by_id") REFERENCES "account"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mail_connection_attempt" ADD CONSTRAINT "mail_connection_attempt_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- One connection at most.
ALTER TABLE "mail_connection" ADD CONSTRAINT "mail_connection_only_row" CHECK ("id" = 1);
