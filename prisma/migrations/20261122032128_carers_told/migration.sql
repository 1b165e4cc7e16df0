-- AlterTable
ALTER TABLE "occurrence" ADD COLUMN     "told" INTEGER[] DEFAULT ARRAY[]::INTEGER[];

-- Whom carers in turn were told before this column was: those of the last days, since a turn that is under way goes on.
UPDATE "occurrence" o SET "told" = n.told FROM (
  SELECT id, array_agg(account_id) AS told FROM (
    SELECT unnest("occurrence_ids") AS id, "account_id" FROM "notification" WHERE "kind" = 'missed' AND "send_at" > now() - interval '7 days'
  ) AS one GROUP BY id
) AS n WHERE o."id" = n.id AND o."channel" = 'carers';
