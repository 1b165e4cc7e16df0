import type { RequestContext } from '../../../core/context.js';
import { POINTS } from '../../../core/quota.js';
import type { Role } from '../../../core/roles.js';
import { transact } from '../../../core/transact.js';
import { Viewer } from '../../../core/viewer.js';
import { decrypt, encrypt } from '../../../platform/keys.js';
import type { LoginInput } from './session.inputs.js';
import { accountByPassword, endSessions, payFrom, recordSession } from './session.service.js';

/** Lifetime of a sign-in to the pages for people, in seconds. */
export const PAGE_LIFETIME = 8 * 60 * 60;
/** Seconds within which a form must be sent. */
const FORM_LIFETIME = 60 * 60;

/** A person who is signed in to the pages for people. */
export interface PageSession {
  readonly viewer: Viewer;
  readonly username: string;
  readonly name: string;
}

/**
 * Signs in to the pages for people, with the checks of `login`. Throws INVALID_CREDENTIALS,
 * ACCOUNT_SUSPENDED and TOO_MANY_REQUESTS. Returns the value for the pages' cookie. It is valid for
 * eight hours, and it is not an access token: neither face accepts it.
 */
export async function signInToPages(context: RequestContext, input: LoginInput): Promise<string> {
  const { account, passwordHash } = await accountByPassword(context, input);
  await payFrom(context, account, POINTS.signIn);
  const id = await recordSession(context, account.id, { kind: 'page', by: 'page', passwordHash });
  return seal(context, 'session', `${id}.${seconds(context) + PAGE_LIFETIME}`);
}

/**
 * Returns the session of a cookie; undefined for a cookie that the service did not make, that has
 * expired, whose session has ended, or whose account is suspended.
 */
export async function readPageSession(
  context: RequestContext,
  cookie: string,
): Promise<PageSession | undefined> {
  const [id, expires] = unseal(context, 'session', cookie)?.split('.') ?? [];
  if (!id || Number(expires) <= seconds(context)) return undefined;
  const session = await context.db.session.findFirst({
    where: { id, kind: 'page', endedAt: null, account: { suspendedAt: null } },
    select: { account: { select: { id: true, username: true, name: true, roles: true } } },
  });
  if (!session) return undefined;
  const { id: accountId, roles, ...names } = session.account;
  return { viewer: new Viewer(accountId, roles as Role[], id), ...names };
}

/** Ends the viewer's session of the pages. */
export async function endPageSession(context: RequestContext): Promise<void> {
  const { sessionId: id = '', id: accountId } = context.viewer;
  await transact(context, (inner) => endSessions(inner, accountId, { id }));
}

/**
 * Returns a token for a form, which proves that this service made the form. It is bound to a
 * session or, without one, to a random value.
 */
export function formToken(context: RequestContext, boundTo: string): string {
  return seal(context, `form ${boundTo}`, String(seconds(context) + FORM_LIFETIME));
}

/** Returns whether a form token is valid for this session and not expired. */
export function isFormToken(context: RequestContext, boundTo: string, token: string): boolean {
  return Number(unseal(context, `form ${boundTo}`, token) ?? 0) > seconds(context);
}

const PURPOSE = 'pages';

/** Encrypts a text so that only this service can have made it, and only for `about`. */
function seal({ deps }: RequestContext, about: string, text: string): string {
  return encrypt(deps.keys.current(PURPOSE).bytes, text, about);
}

function unseal({ deps }: RequestContext, about: string, sealed: string): string | undefined {
  for (const { bytes } of deps.keys.all(PURPOSE)) {
    const text = decrypt(bytes, sealed, about);
    if (text) return text.toString();
  }
  return undefined;
}

const seconds = ({ deps }: RequestContext) => Math.floor(deps.clock() / 1000);
