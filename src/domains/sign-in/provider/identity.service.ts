import type { RequestContext } from '../../../core/context.js';
import { DomainError, type Refusal, refuse } from '../../../core/errors.js';
import { deleteOnce } from '../../../core/transact.js';
import { recordAudit } from '../../audit/audit.service.js';
import type { UnlinkIdentityInput } from './identity.inputs.js';
import { Identity } from './identity.types.js';

const MOST_LISTED = 20;

/** Returns the viewer's identities, oldest first; at most 20. */
export async function listIdentities(context: RequestContext): Promise<Identity[]> {
  const rows = await context.db.identity.findMany({
    where: { accountId: context.viewer.id },
    orderBy: { id: 'asc' },
    take: MOST_LISTED,
  });
  return rows.map((row) => identityOf(context, row));
}

/** Returns the identities of these ids that are the viewer's. */
export async function identitiesById(
  context: RequestContext,
  ids: readonly number[],
): Promise<Identity[]> {
  const rows = await context.db.identity.findMany({
    where: { id: { in: [...ids] }, accountId: context.viewer.id },
  });
  return rows.map((row) => identityOf(context, row));
}

/**
 * Removes an identity from the viewer's account. Throws IDENTITY_NOT_FOUND when it is not the
 * viewer's, and LAST_SIGN_IN when the account has neither a password nor another identity.
 */
export async function unlinkIdentity(
  context: RequestContext,
  { id }: UnlinkIdentityInput,
): Promise<Identity> {
  const accountId = context.viewer.id;
  const unlinked = await deleteOnce(context, async (inner) => {
    // The lock prevents that two simultaneous calls each remove one of the last two identities.
    await inner.db.$executeRaw`SELECT 1 FROM account WHERE id = ${accountId} FOR UPDATE`;
    const account = await inner.db.account.findUniqueOrThrow({
      where: { id: accountId },
      include: { identities: true },
    });
    const row = account.identities.find((identity) => identity.id === id);
    if (!row)
      throw refuse('IDENTITY_NOT_FOUND', 'The account has no such identity.', { param: 'id' });
    const refusal = refusalOfLast(account);
    if (refusal) throw new DomainError(refusal);
    await inner.db.identity.delete({ where: { id }, select: { id: true } });
    await recordAudit(inner, {
      action: 'identity.unlink',
      detail: { identityId: id, issuer: row.issuer },
    });
    return row;
  });
  return identityOf(context, unlinked);
}

interface SignIns {
  readonly passwordHash: string | null;
  readonly identities: readonly object[];
}

/** Returns LAST_SIGN_IN for an account without a password that has but one identity. */
const refusalOfLast = ({ passwordHash, identities }: SignIns): Refusal | undefined =>
  passwordHash || identities.length > 1
    ? undefined
    : {
        reason: 'LAST_SIGN_IN',
        message: 'Nothing else signs in to the account: set a password first.',
      };

/** Returns LAST_SIGN_IN when nothing but its one identity signs in to the viewer's account. */
export const refusalOfUnlinking = async (context: RequestContext): Promise<Refusal | undefined> => {
  const account = await context.loader(signInsOf).load(context.viewer.id);
  return account && refusalOfLast(account);
};

/** What signs in to accounts, for `context.loader`. */
async function signInsOf(
  { db }: RequestContext,
  ids: readonly number[],
): Promise<(SignIns | undefined)[]> {
  const select = { id: true, passwordHash: true, identities: { select: { id: true } } } as const;
  const accounts = await db.account.findMany({ where: { id: { in: [...ids] } }, select });
  const found = new Map(accounts.map((account) => [account.id, account]));
  return ids.map((id) => found.get(id));
}

function identityOf(
  context: RequestContext,
  row: ConstructorParameters<typeof Identity>[0],
): Identity {
  const configured = context.deps.config.PROVIDERS.find(
    ({ settings }) => settings.authority === row.issuer,
  );
  return new Identity(row, configured);
}
