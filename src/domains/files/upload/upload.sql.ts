import { Prisma } from '../../../generated/prisma/client.js';

/** The columns of an `UploadRow`, of upload `u`. */
export const UPLOAD_COLUMNS = Prisma.raw(`u.id, u.account_id AS "accountId", u.key, u.name,
  u.mime_type AS "mimeType", u.bytes, u.sha256, u.created_at AS "createdAt", u.used_at AS "usedAt"`);
