-- AlterTable
ALTER TABLE "care_invitation" ADD COLUMN     "to_key" TEXT NOT NULL DEFAULT '';
ALTER TABLE "care_invitation" ALTER COLUMN "to_key" DROP DEFAULT;

-- AlterTable
ALTER TABLE "outgoing_mail" ADD COLUMN     "from_id" INTEGER,
ADD COLUMN     "to_key" TEXT NOT NULL DEFAULT '';
ALTER TABLE "outgoing_mail" ALTER COLUMN "to_key" DROP DEFAULT;

-- CreateIndex
CREATE INDEX "care_invitation_to_key_idx" ON "care_invitation"("to_key");

-- CreateIndex
CREATE INDEX "outgoing_mail_to_key_idx" ON "outgoing_mail"("to_key");

-- CreateIndex
CREATE INDEX "outgoing_mail_from_id_idx" ON "outgoing_mail"("from_id");

-- By hand: what Prisma cannot say.

UPDATE "care_invitation" SET "to_key" = normalize(lower(normalize(trim("to"), NFKC)), NFKC);
UPDATE "outgoing_mail" SET "to_key" = normalize(lower(normalize(trim("to"), NFKC)), NFKC);

-- Keys were in NFC. Where two accounts come to have one key, the older keeps the name and the younger its old key.
UPDATE "account" a SET "username_key" = n.key
FROM (
  SELECT DISTINCT ON (normalize(lower(normalize("username_key", NFKC)), NFKC))
    "id", normalize(lower(normalize("username_key", NFKC)), NFKC) AS key
  FROM "account" ORDER BY normalize(lower(normalize("username_key", NFKC)), NFKC), "id"
) n
WHERE n.id = a.id AND a."username_key" <> n.key
  AND NOT EXISTS (SELECT FROM "account" o WHERE o."username_key" = n.key);

UPDATE "account" a SET "email_key" = n.key
FROM (
  SELECT DISTINCT ON (normalize(lower(normalize("email_key", NFKC)), NFKC))
    "id", normalize(lower(normalize("email_key", NFKC)), NFKC) AS key
  FROM "account" WHERE "email_key" IS NOT NULL
  ORDER BY normalize(lower(normalize("email_key", NFKC)), NFKC), "id"
) n
WHERE n.id = a.id AND a."email_key" <> n.key
  AND NOT EXISTS (SELECT FROM "account" o WHERE o."email_key" = n.key);
