import { randomBytes } from 'node:crypto';
import { notByApplicationPassword } from '../../../core/access.js';
import { accountKey } from '../../../core/account-name.js';
import type { RequestContext } from '../../../core/context.js';
import { DomainError, refuse } from '../../../core/errors.js';
import { Role } from '../../../core/roles.js';
import { transact } from '../../../core/transact.js';
import { nameOfMailbox } from '../../../platform/plain-name.js';
import { addressName, refuseTaken, refuseUnknownLanguage } from '../../accounts/account.service.js';
import type { Account } from '../../accounts/account.types.js';
import { hashPassword } from '../../accounts/password.js';
import { recordAudit } from '../../audit/audit.service.js';
import { guardAddress } from '../limits/address-limits.service.js';
import type { CreateGuestSessionInput, SignUpInput } from '../session/session.inputs.js';
import { refuseWithoutEmail } from '../session/session.judgement.js';
import { endSessions, signingIn, startSession } from '../session/session.service.js';
import type { SessionPayload } from '../session/session.types.js';
import { answerAgain } from './sign-up-retry.service.js';

/**
 * Creates an account and signs it in. A guest keeps the account with its data, and gets new tokens.
 * The same sign-up within ten minutes gets a session of its account (`answerAgain`). A guest who
 * gives neither address nor password has no way in but its sessions and the password that it set by
 * one of them, before the sign-up or later.
 * Throws EMAIL_REQUIRED, PASSWORD_INVALID, LANGUAGE_UNKNOWN, EMAIL_EXISTS. Throws TOKEN_EXPIRED or
 * TOKEN_INVALID for a guest whose token is not valid, because a new account would not have the
 * guest's data; any other invalid token is ignored. Throws FORBIDDEN for a guest who signed in by
 * an application password.
 */
export async function signUp(context: RequestContext, input: SignUpInput): Promise<SessionPayload> {
  await requireGuestsSession(context);
  const guest = context.viewer.roles.includes(Role.GUEST);
  await guardAddress(context, 'signUp');
  try {
    refuseWithoutEmail(context, input);
    const passwordHash = input.password ? await hashPassword(input.password) : null;
    return await transact(context, async (inner) => {
      await refuseUnknownLanguage(inner, input.language);
      const account = await (guest
        ? upgrade(inner, input, passwordHash)
        : create(inner, input, passwordHash));
      return startSession(inner, account);
    }).catch((error: unknown) => refuseTaken(error, 'email')); // after sign-up they are one
  } catch (refusal) {
    return answerAgain(context, input, refusal);
  }
}

/**
 * Throws for guests who call without a valid session. TOKEN_EXPIRED or TOKEN_INVALID when the token
 * is not valid, because a new account would not have the guest's data. FORBIDDEN for an application
 * password, because signing up starts a session, which would outlive it.
 */
export async function requireGuestsSession(context: RequestContext): Promise<void> {
  const { viewer, db } = context;
  const { refusal, refusedId } = context.input;
  const refused = viewer.roles.includes(Role.GUEST) && notByApplicationPassword(context);
  if (refused) throw new DomainError(refused);
  if (!refusal || !refusedId) return;
  const account = await db.account.findUnique({
    where: { id: refusedId },
    select: { roles: true },
  });
  if (account?.roles.includes(Role.GUEST)) throw new DomainError(refusal);
}

async function create(
  context: RequestContext,
  input: SignUpInput,
  passwordHash: string | null,
): Promise<Account> {
  const email = input.email as string;
  const data = {
    ...named(email),
    name: input.name?.trim() || localPart(email),
    slug: addressName(email),
    passwordHash,
    roles: [Role.SUBSCRIBER],
    languageId: input.language,
    createdAt: context.now(),
  };
  const row = await context.db.account.create({ data });
  await recordAudit(context, { action: 'account.create', subjectId: row.id });
  return signingIn(context, row);
}

async function upgrade(
  context: RequestContext,
  input: SignUpInput,
  passwordHash: string | null,
): Promise<Account> {
  const { id } = context.viewer;
  const { email } = input;
  const name = input.name?.trim() || (email && localPart(email));
  const data = {
    ...(email && { ...named(email), emailProvenAt: null }),
    ...(name && { name }),
    ...(passwordHash && { passwordHash }), // a guest may have set one before
    roles: [Role.SUBSCRIBER],
    languageId: input.language,
  };
  // Of two simultaneous calls, the second finds no guest.
  const { count } = await context.db.account.updateMany({
    where: { id, roles: { has: Role.GUEST } },
    data,
  });
  if (count === 0) throw refuse('TOKEN_INVALID', 'The guest has signed up already. Sign in.');
  await recordAudit(context, { action: 'account.upgrade', subjectId: id });
  await endSessions(context, id);
  return signingIn(context, await context.db.account.findUniqueOrThrow({ where: { id } }));
}

/** After sign-up, the user name is the e-mail address. */
const named = (email: string) => ({
  username: email,
  usernameKey: accountKey(email),
  email,
  emailKey: accountKey(email),
});

const LONGEST_NAME = 200;
const localPart = (email: string) =>
  nameOfMailbox(email.slice(0, Math.min(email.lastIndexOf('@'), LONGEST_NAME))) || 'Member';

/**
 * Creates a guest account and signs it in. Throws LANGUAGE_UNKNOWN. A guest can sign in only by
 * this session, which ends after 90 days without use, and after 180 days in any case. The account
 * and its data are erased after a year without use (`eraseIdleGuests`).
 */
export async function createGuestSession(
  context: RequestContext,
  { language }: CreateGuestSessionInput,
): Promise<SessionPayload> {
  await guardAddress(context, 'guest');
  const username = `guest-${randomBytes(8).toString('hex')}`;
  return transact(context, async (inner) => {
    await refuseUnknownLanguage(inner, language);
    const data = {
      username,
      usernameKey: username,
      name: 'Guest',
      slug: username,
      roles: [Role.GUEST],
      languageId: language,
    };
    const row = await inner.db.account.create({ data: { ...data, createdAt: context.now() } });
    await recordAudit(inner, { action: 'account.create', subjectId: row.id });
    return startSession(inner, signingIn(inner, row));
  });
}
