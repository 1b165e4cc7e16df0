-- oldest: 0.1.0
-- What a reminder says instead of names and amounts, where these have changed since it was handed over.
ALTER TABLE "notification" ADD COLUMN "plain_body" TEXT;
