import { randomUUID } from 'node:crypto';
import { accountKey, isSameMailbox } from '../../../core/account-name.js';
import type { RequestContext } from '../../../core/context.js';
import type { Deps } from '../../../core/deps.js';
import { DomainError, refuse } from '../../../core/errors.js';
import { prune } from '../../../core/pruning.js';
import { POINTS } from '../../../core/quota.js';
import { Role } from '../../../core/roles.js';
import { hold, transact } from '../../../core/transact.js';
import { Viewer } from '../../../core/viewer.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { ProviderUnavailable } from '../../../platform/fetch/unavailable.js';
import { TokenRefused, type VerifiedIdentity } from '../../../platform/identity/provider.types.js';
import { nameOfMailbox, plainName } from '../../../platform/plain-name.js';
import { refuseUnknownLanguage } from '../../accounts/account.service.js';
import { recordAudit } from '../../audit/audit.service.js';
import { noteSuccess } from '../limits/sign-in-limits.service.js';
import { proveEmail } from '../proof/email-proof.service.js';
import {
  endSessions,
  payAfter,
  refuseSignIn,
  signingIn,
  startSession,
} from '../session/session.service.js';
import type { SessionPayload } from '../session/session.types.js';
import { requireGuestsSession } from '../sign-up/sign-up.service.js';
import type { SignInWithProviderInput } from './identity.inputs.js';

/** A verified identity with the name of its provider. */
interface ProviderIdentity extends VerifiedIdentity {
  readonly issuer: string;
}

/**
 * Starts a session for a provider's token. The account is, in this order: that of the identity; the
 * one with the e-mail that the provider has verified; the guest who is calling, who becomes a
 * member; a new one. An e-mail that the provider has not verified leads to no existing account:
 * EMAIL_EXISTS when an account has it. An existing account keeps its language. Throws
 * PROVIDER_NOT_CONFIGURED, LANGUAGE_UNKNOWN, PROVIDER_TOKEN_INVALID for a missing or invalid token,
 * PROVIDER_TOKEN_USED for one that has signed in before, ACCOUNT_SUSPENDED, and PROVIDER_UNAVAILABLE.
 * An account whose quota is spent is signed in too, because its token is used up.
 */
export async function signInWithProvider(
  context: RequestContext,
  input: SignInWithProviderInput,
): Promise<SessionPayload> {
  const provider = context.deps.providers.get(input.provider);
  if (!provider)
    throw refuse('PROVIDER_NOT_CONFIGURED', 'This identity provider is not configured.', {
      input: 'provider',
    });
  await refuseUnknownLanguage(context, input.language);
  const verified = await verify(context, input);
  const identity = { ...verified, issuer: provider.authority };
  const payload = await transact(context, (inner) => signInIdentity(inner, identity, input)).catch(
    async (error: unknown) => {
      if (error instanceof DomainError && error.refusal.reason === 'ACCOUNT_SUSPENDED')
        await refuseSignIn(context, undefined);
      throw error;
    },
  );
  await noteSuccess(context, payload.user.id);
  await payAfter(context, payload.user, POINTS.signIn);
  return payload;
}

async function verify(
  { deps }: RequestContext,
  { provider: slot, token }: SignInWithProviderInput,
): Promise<VerifiedIdentity> {
  const invalid = refuse(
    'PROVIDER_TOKEN_INVALID',
    'The token of the identity provider is not valid. Sign in there again.',
    { input: 'token' },
  );
  if (!token) throw invalid;
  try {
    return (await deps.providers.get(slot)?.verify(token)) as VerifiedIdentity;
  } catch (error) {
    if (error instanceof TokenRefused) {
      deps.log.info({ provider: slot, reason: error.message }, 'provider token refused');
      throw invalid;
    }
    if (!(error instanceof ProviderUnavailable)) throw error;
    deps.log.warn({ provider: slot, reason: error.message }, 'identity provider unavailable');
    throw refuse(
      'PROVIDER_UNAVAILABLE',
      'The identity provider does not answer as it should. Try again soon.',
    );
  }
}

async function signInIdentity(
  context: RequestContext,
  identity: ProviderIdentity,
  input: SignInWithProviderInput,
): Promise<SessionPayload> {
  const { db } = context;
  const { issuer, subject, fingerprint: hash, expiresAt } = identity;
  // Of simultaneous sign-ins by one identity, the later ones find the account of the first.
  await hold(context, `identity:${issuer}:${subject}`);
  const { count } = await db.usedProviderToken.createMany({
    data: { hash, expiresAt },
    skipDuplicates: true,
  });
  if (count === 0)
    throw refuse(
      'PROVIDER_TOKEN_USED',
      'This token has signed in before. Sign in at the identity provider again.',
      { input: 'token' },
    );
  const known = await db.identity.findUnique({ where: { issuer_subject: { issuer, subject } } });
  const accountId = known?.accountId ?? (await accountFor(context, identity, input));
  const row = await db.account.findUniqueOrThrow({
    where: { id: accountId },
    omit: { passwordHash: true },
  });
  const own = context.as(new Viewer(accountId, row.roles as Role[]));
  if (known)
    await db.identity.update({
      where: { id: known.id },
      data: { usedAt: context.now(), email: identity.email ?? null },
    });
  else await link(own, identity);
  return startSession(own, signingIn(context, row), { by: `provider ${input.provider}` });
}

async function link(
  context: RequestContext,
  { issuer, subject, email }: ProviderIdentity,
): Promise<void> {
  const now = context.now();
  const { id } = await context.db.identity.create({
    data: {
      accountId: context.viewer.id,
      issuer,
      subject,
      email: email ?? null,
      createdAt: now,
      usedAt: now,
    },
    select: { id: true },
  });
  await recordAudit(context, { action: 'identity.link', detail: { identityId: id, issuer } });
}

/** Returns the account for an identity that is not known yet. */
async function accountFor(
  context: RequestContext,
  identity: ProviderIdentity,
  { language }: SignInWithProviderInput,
): Promise<number> {
  const { email, emailVerified } = identity;
  const emailKey = email && accountKey(email);
  const select = { id: true, email: true } as const;
  const owner = emailKey
    ? await context.db.account.findUnique({ where: { emailKey }, select })
    : undefined;
  if (owner && !(emailVerified && isSameMailbox(owner.email ?? '', email ?? '')))
    throw refuse(
      'EMAIL_EXISTS',
      'An account with this e-mail address exists: sign in to it in the way you did before.',
    );
  if (owner) {
    // An earlier user may have signed up with this address without owning it.
    await proveEmail(context, owner.id);
    return owner.id;
  }
  await requireGuestsSession(context);
  const isGuest = context.viewer.roles.includes(Role.GUEST);
  return isGuest ? upgradeGuest(context, identity) : createMember(context, identity, language);
}

/** Makes the calling guest a member. Account and data stay; the guest's sessions end. */
async function upgradeGuest(context: RequestContext, identity: ProviderIdentity): Promise<number> {
  const { viewer, db } = context;
  const now = context.now();
  const name = nameOf(identity);
  const data = {
    ...newName(),
    ...contactOf(identity, now),
    ...(name && { name }),
    roles: [Role.SUBSCRIBER],
  };
  // Of two simultaneous calls, the second finds no guest.
  const { count } = await db.account.updateMany({
    where: { id: viewer.id, roles: { has: Role.GUEST } },
    data,
  });
  if (count === 0) throw refuse('TOKEN_INVALID', 'The guest has signed up already. Sign in.');
  await recordAudit(context, { action: 'account.upgrade' });
  await endSessions(context, viewer.id);
  return viewer.id;
}

async function createMember(
  context: RequestContext,
  identity: ProviderIdentity,
  languageId: number,
): Promise<number> {
  const now = context.now();
  const names = newName();
  const data = {
    ...names,
    slug: names.username,
    ...contactOf(identity, now),
    roles: [Role.SUBSCRIBER],
    languageId,
    createdAt: now,
  };
  const { id } = await context.db.account.create({
    data: { ...data, name: nameOf(identity) ?? 'Member' },
    select: { id: true },
  });
  await recordAudit(context, { action: 'account.create', subjectId: id });
  return id;
}

/** Returns a random, unused user name. People who sign in by a provider need no other. */
function newName() {
  const username = `member-${randomUUID().slice(0, 13)}`;
  return { username, usernameKey: username };
}

const LONGEST_NAME = 200;
const nameOf = ({ name, email }: ProviderIdentity) =>
  (name ? plainName(name.slice(0, LONGEST_NAME)) : nameOfMailbox(email?.split('@')[0] ?? '')) ||
  undefined;

function contactOf({ email, emailVerified }: ProviderIdentity, now: Date) {
  return {
    email: email ?? null,
    emailKey: email ? accountKey(email) : null,
    emailProvenAt: emailVerified ? now : null,
  };
}

/**
 * Deletes used tokens that have expired; they are refused because of their expiry. Returns how
 * many. For a job.
 */
export async function forgetExpiredTokens(
  { database, clock }: Deps,
  stopping?: AbortSignal,
): Promise<number> {
  const where = Prisma.sql`expires_at < ${new Date(clock())}`;
  const by = Prisma.sql`expires_at`;
  return prune(database.db, { table: Prisma.sql`used_provider_token`, where, by }, stopping);
}
