-- CreateTable
CREATE TABLE "device" (
    "id" SERIAL NOT NULL,
    "account_id" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    "token_hash" TEXT NOT NULL,
    "platform" TEXT NOT NULL DEFAULT '',
    "installation" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "suspended_at" TIMESTAMPTZ(3),
    "dead_at" TIMESTAMPTZ(3),

    CONSTRAINT "device_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "notification" (
    "id" SERIAL NOT NULL,
    "account_id" INTEGER NOT NULL,
    "created_by" INTEGER,
    "kind" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "data" TEXT NOT NULL DEFAULT '',
    "message_id" UUID NOT NULL,
    "occurrence_ids" BIGINT[],
    "device_id" INTEGER,
    "state" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "send_at" TIMESTAMPTZ(3) NOT NULL,
    "read_at" TIMESTAMPTZ(3),

    CONSTRAINT "notification_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "delivery" (
    "id" BIGSERIAL NOT NULL,
    "notification_id" INTEGER NOT NULL,
    "device_id" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "next_at" TIMESTAMPTZ(3) NOT NULL,
    "claim" UUID,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "sent_at" TIMESTAMPTZ(3),
    "ticket" TEXT,
    "code" TEXT,

    CONSTRAINT "delivery_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "notification_preference" (
    "account_id" INTEGER NOT NULL,
    "quiet_start" TEXT,
    "quiet_end" TEXT,
    "lock_screen_names" BOOLEAN NOT NULL DEFAULT false,
    "renotify_minutes" INTEGER,
    "renotify_times" INTEGER NOT NULL DEFAULT 0,
    "missed_to_carers" BOOLEAN NOT NULL DEFAULT true,

    CONSTRAINT "notification_preference_pkey" PRIMARY KEY ("account_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "device_token_hash_key" ON "device"("token_hash");

-- CreateIndex
CREATE INDEX "device_account_id_last_seen_at_idx" ON "device"("account_id", "last_seen_at");

-- CreateIndex
CREATE UNIQUE INDEX "device_account_id_installation_key" ON "device"("account_id", "installation");

-- CreateIndex
CREATE UNIQUE INDEX "notification_message_id_key" ON "notification"("message_id");

-- CreateIndex
CREATE INDEX "notification_account_id_send_at_id_idx" ON "notification"("account_id", "send_at", "id");

-- CreateIndex
CREATE INDEX "notification_created_by_idx" ON "notification"("created_by");

-- CreateIndex
CREATE INDEX "notification_send_at_idx" ON "notification"("send_at");

-- CreateIndex
CREATE INDEX "delivery_device_id_idx" ON "delivery"("device_id");

-- CreateIndex
CREATE INDEX "delivery_due_at_idx" ON "delivery"("due_at");

-- CreateIndex
CREATE UNIQUE INDEX "delivery_notification_id_device_id_key" ON "delivery"("notification_id", "device_id");

-- AddForeignKey
ALTER TABLE "device" ADD CONSTRAINT "device_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notification" ADD CONSTRAINT "notification_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notification" ADD CONSTRAINT "notification_created_by_fkey" FOREIGN KEY ("created_by") REFERENCES "account"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "delivery" ADD CONSTRAINT "delivery_notification_id_fkey" FOREIGN KEY ("notification_id") REFERENCES "notification"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "delivery" ADD CONSTRAINT "delivery_device_id_fkey" FOREIGN KEY ("device_id") REFERENCES "device"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notification_preference" ADD CONSTRAINT "notification_preference_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What is due, by kind of device: each kind's worker claims from here, the longest due first.
CREATE INDEX "delivery_due" ON "delivery" ("kind", "next_at") WHERE "state" = 'planned';

-- Whose receipts are to be asked for.
CREATE INDEX "delivery_receipt" ON "delivery" ("kind", "next_at") WHERE "state" = 'accepted';

-- What is to become deliveries when its time comes.
CREATE INDEX "notification_planned" ON "notification" ("send_at") WHERE "state" = 'planned';

-- Every delivery is written three times within minutes: the room is to be had again soon.
ALTER TABLE "delivery" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);
