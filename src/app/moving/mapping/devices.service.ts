import type { RequestContext } from '../../../core/context.js';
import { MOST_DEVICES } from '../../../domains/notifications/device/device.service.js';
import { Prisma } from '../../../generated/prisma/client.js';
import type { Db } from '../../../platform/database/transaction.js';
import {
  fingerprint,
  isPublicEndpoint,
  isWellFormed,
  kindOf,
  subscriptionOf,
} from '../../../platform/push/token.js';
import type { Import, Left, Mapped } from '../kind.js';
import { text } from '../kind.js';
import { mappedInstant } from './mapped-date.js';
import type { FieldRow, MappedKind, Unnumbered } from './mapped-row.js';
import type { MappedQuery } from './mapping.js';

const LONGEST_PLATFORM = 40;

const skipped = (reason: string): Left => ({ outcome: 'skipped', reason });

/** Devices with their tokens. A query gives the newest first: of a member so many are kept. */
export const DEVICES: MappedKind = {
  table: 'device',
  columns: ['account_id', 'kind', 'token', 'token_hash', 'platform', 'created_at', 'last_seen_at'],
  judged: ['account_id', 'token'],
  map: async (run, rows, query) => rows.map((row) => deviceOf(run, row, query)),
  known: registered,
  complete: moveTokens,
  used: 't.last_seen_at >= i.imported_at',
  async remove({ db }, id) {
    await db.device.deleteMany({ where: { id } });
  },
};

function deviceOf(run: Import, row: FieldRow, { dates }: MappedQuery): Unnumbered | Left {
  const [accountId, token] = [Number(row.member), text(row.token).trim()];
  if (!run.accounts.has(accountId))
    return skipped('its account is not among those that are imported');
  if (!isToken(token)) return skipped('its token is none that a provider issues');
  if (Number(row.superseded ?? 0)) return skipped('a later row has its token');
  const name = `device ${accountId}`;
  const before = run.counts.get(name) ?? 0;
  if (before >= MOST_DEVICES) return skipped(`its account has ${MOST_DEVICES} later devices`);
  run.counts.set(name, before + 1);
  const { at = run.context.now() } = mappedInstant(row.created, dates, run.site.timeZone);
  const seen = at < run.context.now() ? at : run.context.now();
  return {
    own: {
      account_id: accountId,
      kind: kindOf(token),
      token,
      token_hash: fingerprint(token),
      platform: text(row.platform).trim().slice(0, LONGEST_PLATFORM),
      created_at: seen,
      last_seen_at: seen,
    },
  };
}

/** Returns the devices that were imported with the tokens of rows, for the same accounts, by keys of rows. */
async function registered(
  { db }: RequestContext,
  rows: readonly Unnumbered[],
): Promise<ReadonlyMap<string, number>> {
  const found = await db.$queryRaw<{ place: string; id: number }[]>(Prisma.sql`
    SELECT given.place, d.id
    FROM unnest(${rows.map(({ place }) => place)}::text[],
        ${rows.map(({ own }) => own.token_hash as string)}::text[],
        ${rows.map(({ own }) => own.account_id as number)}::int[]) AS given(place, hash, account)
      JOIN device d ON d.token_hash = given.hash AND d.account_id = given.account
      JOIN imported_row i ON i.kind = 'device' AND i.id = d.id`);
  return new Map(found.map(({ place, id }) => [place, id]));
}

/** Returns whether a text is a token to which pushes may go. */
export function isToken(token: string): boolean {
  if (!isWellFormed(token)) return false;
  if (kindOf(token) !== 'web') return true;
  return isPublicEndpoint(subscriptionOf(token)?.endpoint ?? '', { loopback: false });
}

/**
 * Deletes what was imported of a token that belongs to another account in the original now, unless it
 * was registered here since.
 */
async function moveTokens(db: Db, written: readonly Mapped[]): Promise<void> {
  await db.$executeRaw(Prisma.sql`
    DELETE FROM device d USING unnest(${written.map(({ own }) => own.token_hash as string)}::text[],
      ${written.map(({ own }) => own.account_id as number)}::int[]) AS now(hash, account), imported_row i
    WHERE d.token_hash = now.hash AND d.account_id <> now.account
      AND i.kind = 'device' AND i.id = d.id AND d.last_seen_at < i.imported_at`);
}
