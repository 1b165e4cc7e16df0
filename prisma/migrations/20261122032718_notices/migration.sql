-- AlterTable
ALTER TABLE "notification" ADD COLUMN     "about_id" INTEGER;

-- What carers were told so far: of members who are here; what is about those who were erased goes.
UPDATE "notification" n SET "about_id" = a."id" FROM "account" a
WHERE n."kind" = 'missed' AND a."id" = (NULLIF(n."data", '')::json ->> 'member_id')::int;
DELETE FROM "notification" WHERE "kind" = 'missed' AND "about_id" IS NULL;

-- CreateIndex
CREATE INDEX "notification_about_id_idx" ON "notification"("about_id");

-- AddForeignKey
ALTER TABLE "notification" ADD CONSTRAINT "notification_about_id_fkey" FOREIGN KEY ("about_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
