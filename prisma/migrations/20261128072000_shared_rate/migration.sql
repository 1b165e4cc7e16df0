-- When the next message may go to a provider whose limit all processes share.
CREATE TABLE "provider_rate" (
    "provider" TEXT NOT NULL,
    "free_at" TIMESTAMPTZ NOT NULL,

    CONSTRAINT "provider_rate_pkey" PRIMARY KEY ("provider")
);

-- What is not about a dose or an appointment waits for what is.
ALTER TABLE "delivery" ADD COLUMN "news" BOOLEAN NOT NULL DEFAULT false;
CREATE INDEX "delivery_turn" ON "delivery" ("kind", "news", "attempts", "next_at") WHERE "state" = 'planned';
DROP INDEX "delivery_due";
