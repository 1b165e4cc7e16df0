import { Prisma } from '../../../generated/prisma/client.js';

/** The columns of `dose` under the names of the fields of a `LoggedDose`. */
export const doseColumns: Prisma.Sql = Prisma.sql`id, reminder_id AS "reminderId",
  account_id AS "accountId", planned_at AS "plannedAt", extra, answer, at, name,
  medicine_type AS "medicineType", note, trim_scale(amount)::text AS amount, unit`;
