-- CreateTable
CREATE TABLE "poll" (
    "id" SERIAL NOT NULL,
    "external_id" TEXT,
    "question" TEXT NOT NULL,
    "multiple" BOOLEAN NOT NULL DEFAULT false,
    "statement" TEXT,
    "visibility" TEXT NOT NULL DEFAULT 'after_answering',
    "opens_at" TIMESTAMPTZ(3) NOT NULL,
    "closes_at" TIMESTAMPTZ(3),
    "participants" INTEGER NOT NULL DEFAULT 0,
    "version" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "poll_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "poll_option" (
    "id" SERIAL NOT NULL,
    "poll_id" INTEGER NOT NULL,
    "position" INTEGER NOT NULL,
    "text" TEXT NOT NULL,
    "votes" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "poll_option_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "poll_submission" (
    "poll_id" INTEGER NOT NULL,
    "account_id" INTEGER NOT NULL,
    "option_ids" INTEGER[],
    "submitted_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "poll_submission_pkey" PRIMARY KEY ("poll_id","account_id")
);

-- CreateTable
CREATE TABLE "poll_agreement" (
    "poll_id" INTEGER NOT NULL,
    "account_id" INTEGER NOT NULL,
    "agreed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "poll_agreement_pkey" PRIMARY KEY ("poll_id","account_id")
);

-- CreateTable
CREATE TABLE "policy" (
    "id" SERIAL NOT NULL,
    "language_id" INTEGER NOT NULL,
    "number" INTEGER NOT NULL,
    "title" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "effective_at" TIMESTAMPTZ(3) NOT NULL,
    "agreed" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "policy_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "policy_agreement" (
    "policy_id" INTEGER NOT NULL,
    "account_id" INTEGER NOT NULL,
    "agreed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "policy_agreement_pkey" PRIMARY KEY ("policy_id","account_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "poll_external_id_key" ON "poll"("external_id");

-- CreateIndex
CREATE INDEX "poll_opens_at_id_idx" ON "poll"("opens_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "poll_option_poll_id_position_key" ON "poll_option"("poll_id", "position");

-- CreateIndex
CREATE INDEX "poll_submission_account_id_idx" ON "poll_submission"("account_id");

-- CreateIndex
CREATE INDEX "poll_agreement_account_id_idx" ON "poll_agreement"("account_id");

-- CreateIndex
CREATE INDEX "policy_language_id_effective_at_idx" ON "policy"("language_id", "effective_at");

-- CreateIndex
CREATE UNIQUE INDEX "policy_language_id_number_key" ON "policy"("language_id", "number");

-- CreateIndex
CREATE INDEX "policy_agreement_account_id_idx" ON "policy_agreement"("account_id");

-- AddForeignKey
ALTER TABLE "poll_option" ADD CONSTRAINT "poll_option_poll_id_fkey" FOREIGN KEY ("poll_id") REFERENCES "poll"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "poll_submission" ADD CONSTRAINT "poll_submission_poll_id_fkey" FOREIGN KEY ("poll_id") REFERENCES "poll"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "poll_submission" ADD CONSTRAINT "poll_submission_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "poll_agreement" ADD CONSTRAINT "poll_agreement_poll_id_fkey" FOREIGN KEY ("poll_id") REFERENCES "poll"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "poll_agreement" ADD CONSTRAINT "poll_agreement_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "policy" ADD CONSTRAINT "policy_language_id_fkey" FOREIGN KEY ("language_id") REFERENCES "language"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "policy_agreement" ADD CONSTRAINT "policy_agreement_policy_id_fkey" FOREIGN KEY ("policy_id") REFERENCES "policy"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "policy_agreement" ADD CONSTRAINT "policy_agreement_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
