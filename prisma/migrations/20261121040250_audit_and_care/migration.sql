-- DropIndex
DROP INDEX "audit_event_actor_id_at_idx";

-- DropIndex
DROP INDEX "audit_event_subject_id_at_idx";

-- AlterTable
ALTER TABLE "audit_event" ADD COLUMN     "key_id" TEXT NOT NULL,
ADD COLUMN     "mac" TEXT NOT NULL,
ADD COLUMN     "seal" INTEGER,
ADD COLUMN     "uid" UUID NOT NULL,
ALTER COLUMN "detail" DROP NOT NULL;

-- CreateTable
CREATE TABLE "audit_seal" (
    "number" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "ids" BIGINT[],
    "digests" TEXT[],
    "previous" TEXT NOT NULL,
    "head" TEXT NOT NULL,
    "key_id" TEXT NOT NULL,
    "mac" TEXT NOT NULL,

    CONSTRAINT "audit_seal_pkey" PRIMARY KEY ("number")
);

-- CreateTable
CREATE TABLE "audit_checkpoint" (
    "number" INTEGER NOT NULL,
    "head" TEXT NOT NULL,
    "before" TIMESTAMPTZ(3) NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "key_id" TEXT NOT NULL,
    "mac" TEXT NOT NULL,

    CONSTRAINT "audit_checkpoint_pkey" PRIMARY KEY ("number")
);

-- CreateTable
CREATE TABLE "account_key" (
    "account_id" INTEGER NOT NULL,
    "wrapped" TEXT,
    "key_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "erased_at" TIMESTAMPTZ(3),

    CONSTRAINT "account_key_pkey" PRIMARY KEY ("account_id")
);

-- CreateTable
CREATE TABLE "care_relation" (
    "id" SERIAL NOT NULL,
    "member_id" INTEGER NOT NULL,
    "carer_id" INTEGER NOT NULL,
    "right" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "care_relation_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "care_invitation" (
    "id" SERIAL NOT NULL,
    "member_id" INTEGER NOT NULL,
    "to" TEXT NOT NULL,
    "right" TEXT NOT NULL,
    "code_hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "care_invitation_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "care_assignment" (
    "member_id" INTEGER NOT NULL,
    "clinician_id" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "care_assignment_pkey" PRIMARY KEY ("member_id","clinician_id")
);

-- CreateTable
CREATE TABLE "break_glass" (
    "id" SERIAL NOT NULL,
    "member_id" INTEGER NOT NULL,
    "clinician_id" INTEGER NOT NULL,
    "reason" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "break_glass_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "account_key_key_id_idx" ON "account_key"("key_id");

-- CreateIndex
CREATE INDEX "care_relation_carer_id_idx" ON "care_relation"("carer_id");

-- CreateIndex
CREATE UNIQUE INDEX "care_relation_member_id_carer_id_key" ON "care_relation"("member_id", "carer_id");

-- CreateIndex
CREATE UNIQUE INDEX "care_invitation_code_hash_key" ON "care_invitation"("code_hash");

-- CreateIndex
CREATE INDEX "care_invitation_member_id_created_at_idx" ON "care_invitation"("member_id", "created_at");

-- CreateIndex
CREATE INDEX "care_assignment_clinician_id_member_id_idx" ON "care_assignment"("clinician_id", "member_id");

-- CreateIndex
CREATE INDEX "break_glass_member_id_id_idx" ON "break_glass"("member_id", "id");

-- CreateIndex
CREATE INDEX "break_glass_clinician_id_member_id_ends_at_idx" ON "break_glass"("clinician_id", "member_id", "ends_at");

-- CreateIndex
CREATE UNIQUE INDEX "audit_event_uid_key" ON "audit_event"("uid");

-- CreateIndex
CREATE INDEX "audit_event_subject_id_at_id_idx" ON "audit_event"("subject_id", "at", "id");

-- CreateIndex
CREATE INDEX "audit_event_actor_id_at_id_idx" ON "audit_event"("actor_id", "at", "id");

-- CreateIndex
CREATE INDEX "audit_event_action_at_id_idx" ON "audit_event"("action", "at", "id");

-- CreateIndex
CREATE INDEX "audit_event_at_id_idx" ON "audit_event"("at", "id");

-- CreateIndex
CREATE INDEX "audit_event_seal_id_idx" ON "audit_event"("seal", "id");

-- AddForeignKey
ALTER TABLE "care_relation" ADD CONSTRAINT "care_relation_member_id_fkey" FOREIGN KEY ("member_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "care_relation" ADD CONSTRAINT "care_relation_carer_id_fkey" FOREIGN KEY ("carer_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "care_invitation" ADD CONSTRAINT "care_invitation_member_id_fkey" FOREIGN KEY ("member_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "care_assignment" ADD CONSTRAINT "care_assignment_member_id_fkey" FOREIGN KEY ("member_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "care_assignment" ADD CONSTRAINT "care_assignment_clinician_id_fkey" FOREIGN KEY ("clinician_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "break_glass" ADD CONSTRAINT "break_glass_member_id_fkey" FOREIGN KEY ("member_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "break_glass" ADD CONSTRAINT "break_glass_clinician_id_fkey" FOREIGN KEY ("clinician_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What Prisma cannot say
ALTER TABLE "care_relation" ADD CONSTRAINT "care_relation_right_known" CHECK ("right" IN ('see', 'answer', 'edit')),
ADD CONSTRAINT "care_relation_of_two" CHECK ("member_id" <> "carer_id");

ALTER TABLE "care_invitation" ADD CONSTRAINT "care_invitation_right_known" CHECK ("right" IN ('see', 'answer', 'edit'));
