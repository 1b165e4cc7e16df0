-- CreateTable
CREATE TABLE "channel" (
    "device_id" INTEGER NOT NULL,
    "code_hash" TEXT,
    "expires_at" TIMESTAMPTZ(3),
    "tries" INTEGER NOT NULL DEFAULT 0,
    "verified_at" TIMESTAMPTZ(3),

    CONSTRAINT "channel_pkey" PRIMARY KEY ("device_id")
);

-- AddForeignKey
ALTER TABLE "channel" ADD CONSTRAINT "channel_device_id_fkey" FOREIGN KEY ("device_id") REFERENCES "device"("id") ON DELETE CASCADE ON UPDATE CASCADE;
