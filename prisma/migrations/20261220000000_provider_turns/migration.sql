-- oldest: 0.1.0
-- Requests to a provider that count against its limit; a version before paces itself by free_at alone.
ALTER TABLE "provider_rate" ADD COLUMN "turns" JSONB NOT NULL DEFAULT '[]';
