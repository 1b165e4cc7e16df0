-- CreateTable
CREATE TABLE "secret_key" (
    "print" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "secret_key_pkey" PRIMARY KEY ("print")
);
