import { createHash } from 'node:crypto';
import type { Deps } from '../../context.js';
import type { Refusal } from '../../errors.js';
import { Prisma } from '../../generated/prisma/client.js';
import type { Role } from './role.js';
import { ANONYMOUS, Viewer } from './viewer.js';

/**
 * Who an `Authorization` header stands for. Basic takes an application password (user name or e-mail, any case); whatever is wrong
 * with it is anonymous. Bearer takes an access token; one that is expired, malformed or of an ended session is refused with
 * TOKEN_EXPIRED or TOKEN_INVALID. Any other header is anonymous.
 */
export async function viewerOf(deps: Deps, authorization: string | undefined): Promise<Viewer | Refusal> {
  if (!authorization) return ANONYMOUS;
  const space = authorization.indexOf(' ');
  const scheme = authorization.slice(0, space).toLowerCase();
  const credentials = authorization.slice(space + 1).trim();
  if (scheme === 'basic') return byApplicationPassword(deps, credentials);
  if (scheme === 'bearer') return byAccessToken(deps, credentials);
  return ANONYMOUS;
}

/** How application passwords are stored: they are random, so a fast hash keeps them. Spaces and dashes between groups do not count. */
export function applicationPasswordHash(password: string): string {
  return createHash('sha256')
    .update(password.replace(/[^A-Za-z0-9]/g, ''))
    .digest('hex');
}

async function byApplicationPassword(deps: Deps, credentials: string): Promise<Viewer> {
  const text = Buffer.from(credentials, 'base64').toString();
  const colon = text.indexOf(':');
  const [name, password] = [text.slice(0, colon).toLowerCase(), text.slice(colon + 1)];
  if (colon < 1 || !password || name.includes('\0')) return ANONYMOUS;
  const { text: sql, values } = Prisma.sql`
    SELECT a.id, a.roles, p.id::text AS "passwordId" FROM application_password p JOIN account a ON a.id = p.account_id
    WHERE p.hash = ${applicationPasswordHash(password)} AND (a.username_key = ${name} OR a.email_key = ${name})`;
  const [account] = await deps.database.query<{ id: number; roles: Role[]; passwordId: string }>(sql, values);
  return account ? new Viewer(account.id, account.roles, undefined, account.passwordId) : ANONYMOUS;
}

const INVALID: Refusal = { reason: 'TOKEN_INVALID', message: 'The access token is not valid. Sign in again.' };
const EXPIRED: Refusal = { reason: 'TOKEN_EXPIRED', message: 'The access token has expired. Refresh the session.' };

async function byAccessToken(deps: Deps, token: string): Promise<Viewer | Refusal> {
  const claims = await deps.tokens.readAccess(token, deps.clock());
  if (claims === 'expired') return EXPIRED;
  if (claims === 'invalid') return INVALID;
  const { text: sql, values } = Prisma.sql`
    SELECT a.id, a.roles FROM session s JOIN account a ON a.id = s.account_id
    WHERE s.id = ${claims.sessionId}::uuid AND s.account_id = ${claims.accountId} AND s.kind = 'api' AND s.ended_at IS NULL`;
  const [account] = await deps.database.query<{ id: number; roles: Role[] }>(sql, values);
  return account ? new Viewer(account.id, account.roles, claims.sessionId) : INVALID;
}
