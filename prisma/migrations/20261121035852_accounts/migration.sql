-- AlterTable
ALTER TABLE "account" ADD COLUMN     "email_proven_at" TIMESTAMPTZ(3),
ADD COLUMN     "usual_times" TEXT[] DEFAULT ARRAY[]::TEXT[],
ALTER COLUMN "email" DROP NOT NULL,
ALTER COLUMN "email_key" DROP NOT NULL;

-- AlterTable
ALTER TABLE "application_password" ADD COLUMN     "last_used_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "session" ADD COLUMN     "rotated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
ADD COLUMN     "user_agent" TEXT NOT NULL DEFAULT '';

-- CreateTable
CREATE TABLE "sign_in_code" (
    "email_key" TEXT NOT NULL,
    "asked_at" TIMESTAMPTZ(3) NOT NULL,
    "hash" TEXT,
    "expires_at" TIMESTAMPTZ(3),
    "tries" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "sign_in_code_pkey" PRIMARY KEY ("email_key")
);

-- CreateIndex
CREATE INDEX "sign_in_code_asked_at_idx" ON "sign_in_code"("asked_at");

-- CreateIndex
CREATE INDEX "session_used_at_idx" ON "session"("used_at");

-- What Prisma cannot say, from here on.

-- Guests by age, out of all accounts: a job looks for those who have not been there for a year.
CREATE INDEX "account_guest" ON "account"("created_at") WHERE "roles" = '{guest}';
