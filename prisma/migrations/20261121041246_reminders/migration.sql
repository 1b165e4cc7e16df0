-- CreateTable
CREATE TABLE "reminder" (
    "id" SERIAL NOT NULL,
    "kind" TEXT NOT NULL,
    "account_id" INTEGER NOT NULL,
    "creator_id" INTEGER NOT NULL,
    "fingerprint" TEXT,
    "name" TEXT NOT NULL DEFAULT '',
    "description" TEXT,
    "medicine_type" TEXT,
    "frequency_type" TEXT,
    "start_date" TEXT,
    "end_date" TEXT,
    "created_date" TEXT,
    "remind_before" TEXT,
    "event_type" TEXT,
    "scheduled" BOOLEAN NOT NULL,
    "recognized" BOOLEAN NOT NULL,
    "follows" BOOLEAN NOT NULL,
    "zone" TEXT NOT NULL,
    "zone_source" TEXT NOT NULL,
    "start_local" TEXT NOT NULL,
    "times" TEXT[],
    "times_source" TEXT NOT NULL,
    "until_at" TIMESTAMPTZ(3),
    "lead_seconds" INTEGER NOT NULL DEFAULT 0,
    "plan_from" TIMESTAMPTZ(3),
    "planned_until" TIMESTAMPTZ(3),
    "plan_at" TIMESTAMPTZ(3),
    "attended_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "reminder_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "past_plan" (
    "id" SERIAL NOT NULL,
    "reminder_id" INTEGER NOT NULL,
    "frequency_type" TEXT,
    "zone" TEXT NOT NULL,
    "start_local" TEXT NOT NULL,
    "times" TEXT[],
    "until_at" TIMESTAMPTZ(3),
    "from_at" TIMESTAMPTZ(3),
    "to_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "past_plan_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "occurrence" (
    "id" BIGSERIAL NOT NULL,
    "reminder_id" INTEGER NOT NULL,
    "account_id" INTEGER NOT NULL,
    "channel" TEXT NOT NULL,
    "planned_at" TIMESTAMPTZ(3) NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "local_time" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'planned',
    "claimed_at" TIMESTAMPTZ(3),
    "lease_until" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "settled_at" TIMESTAMPTZ(3),

    CONSTRAINT "occurrence_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "dose" (
    "id" SERIAL NOT NULL,
    "account_id" INTEGER NOT NULL,
    "reminder_id" INTEGER,
    "planned_at" TIMESTAMPTZ(3),
    "extra" BOOLEAN NOT NULL DEFAULT false,
    "answer" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "name" TEXT NOT NULL,
    "medicine_type" TEXT,
    "note" TEXT,
    "logged_by_id" INTEGER NOT NULL,
    "logged_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "dose_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "care_setting" (
    "account_id" INTEGER NOT NULL,
    "learned_zone" TEXT,
    "usual_times" TEXT[],
    "feed_hash" TEXT,
    "feed_titles" BOOLEAN NOT NULL DEFAULT false,
    "feed_made_at" TIMESTAMPTZ(3),

    CONSTRAINT "care_setting_pkey" PRIMARY KEY ("account_id")
);

-- CreateIndex
CREATE INDEX "reminder_account_id_kind_id_idx" ON "reminder"("account_id", "kind", "id");

-- CreateIndex
CREATE INDEX "reminder_creator_id_fingerprint_idx" ON "reminder"("creator_id", "fingerprint");

-- CreateIndex
CREATE INDEX "past_plan_reminder_id_to_at_idx" ON "past_plan"("reminder_id", "to_at");

-- CreateIndex
CREATE INDEX "occurrence_reminder_id_planned_at_idx" ON "occurrence"("reminder_id", "planned_at");

-- CreateIndex
CREATE INDEX "occurrence_account_id_due_at_idx" ON "occurrence"("account_id", "due_at");

-- CreateIndex
CREATE INDEX "occurrence_due_at_idx" ON "occurrence"("due_at");

-- CreateIndex
CREATE UNIQUE INDEX "occurrence_reminder_id_due_at_channel_key" ON "occurrence"("reminder_id", "due_at", "channel");

-- CreateIndex
CREATE INDEX "dose_account_id_at_idx" ON "dose"("account_id", "at");

-- CreateIndex
CREATE INDEX "dose_account_id_planned_at_idx" ON "dose"("account_id", "planned_at");

-- CreateIndex
CREATE INDEX "dose_reminder_id_planned_at_idx" ON "dose"("reminder_id", "planned_at");

-- CreateIndex
CREATE UNIQUE INDEX "care_setting_feed_hash_key" ON "care_setting"("feed_hash");

-- AddForeignKey
ALTER TABLE "reminder" ADD CONSTRAINT "reminder_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "past_plan" ADD CONSTRAINT "past_plan_reminder_id_fkey" FOREIGN KEY ("reminder_id") REFERENCES "reminder"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "occurrence" ADD CONSTRAINT "occurrence_reminder_id_fkey" FOREIGN KEY ("reminder_id") REFERENCES "reminder"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "occurrence" ADD CONSTRAINT "occurrence_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "dose" ADD CONSTRAINT "dose_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "dose" ADD CONSTRAINT "dose_reminder_id_fkey" FOREIGN KEY ("reminder_id") REFERENCES "reminder"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "care_setting" ADD CONSTRAINT "care_setting_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- By hand: what Prisma cannot say.
CREATE INDEX "occurrence_due" ON "occurrence"("due_at", "id") WHERE "state" = 'planned';
CREATE INDEX "occurrence_leased" ON "occurrence"("lease_until") WHERE "state" = 'claimed';
CREATE INDEX "reminder_plan_due" ON "reminder"("plan_at", "id") WHERE "plan_at" IS NOT NULL;
CREATE UNIQUE INDEX "dose_answer_key" ON "dose"("reminder_id", "planned_at") WHERE "planned_at" IS NOT NULL AND NOT "extra";
ALTER TABLE "occurrence" ADD CONSTRAINT "occurrence_state" CHECK ("state" IN ('planned', 'claimed', 'sent', 'late', 'missed', 'cancelled'));
ALTER TABLE "dose" ADD CONSTRAINT "dose_answer" CHECK ("answer" IN ('taken', 'skipped'));
