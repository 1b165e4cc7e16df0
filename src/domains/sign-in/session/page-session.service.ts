import type { RequestContext } from '../../../core/context.js';
import type { Role } from '../../../core/roles.js';
import { transact } from '../../../core/transact.js';
import { Viewer } from '../../../core/viewer.js';
import { decrypt, encrypt } from '../../../platform/keys.js';
import type { LoginInput } from './session.inputs.js';
import { accountByPassword, endSessions, recordSession } from './session.service.js';

/** Seconds that somebody stays signed in to the pages for people. */
export const PAGE_LIFETIME = 8 * 60 * 60;
/** Seconds that a form may lie open before it is sent. */
const FORM_LIFETIME = 60 * 60;

/** Somebody who is signed in to the pages for people. */
export interface PageSession {
  readonly viewer: Viewer;
  readonly username: string;
  readonly name: string;
}

/**
 * Signs in to the pages for people, with the check of `login`: INVALID_CREDENTIALS,
 * TOO_MANY_REQUESTS. Returns what the pages' cookie holds: it opens the pages for eight hours and
 * is no token, so that neither face of the interface takes it.
 */
export async function signInToPages(context: RequestContext, input: LoginInput): Promise<string> {
  const { id: accountId } = await accountByPassword(context, input);
  const id = await recordSession(context, accountId, { kind: 'page', by: 'page' });
  return seal(context, 'session', `${id}.${seconds(context) + PAGE_LIFETIME}`);
}

/**
 * Whose cookie it is; undefined for one that is not ours, has expired, or whose session has ended.
 */
export async function readPageSession(
  context: RequestContext,
  cookie: string,
): Promise<PageSession | undefined> {
  const [id, expires] = unseal(context, 'session', cookie)?.split('.') ?? [];
  if (!id || Number(expires) <= seconds(context)) return undefined;
  const session = await context.db.session.findFirst({
    where: { id, kind: 'page', endedAt: null },
    select: { account: { select: { id: true, username: true, name: true, roles: true } } },
  });
  if (!session) return undefined;
  const { id: accountId, roles, ...names } = session.account;
  return { viewer: new Viewer(accountId, roles as Role[], id), ...names };
}

/** Ends the page session that asks. */
export async function endPageSession(context: RequestContext): Promise<void> {
  const { sessionId: id = '', id: accountId } = context.viewer;
  await transact(context, (inner) => endSessions(inner, accountId, { id }));
}

/**
 * What a form carries along, so that only our own page can have sent it; bound to a session, or to
 * what stands for one.
 */
export function formToken(context: RequestContext, boundTo: string): string {
  return seal(context, `form ${boundTo}`, String(seconds(context) + FORM_LIFETIME));
}

/** Whether a form was ours, for this session, and not too long ago. */
export function isFormToken(context: RequestContext, boundTo: string, token: string): boolean {
  return Number(unseal(context, `form ${boundTo}`, token) ?? 0) > seconds(context);
}

const PURPOSE = 'pages';

/** A text that only we can have made, and only for what it is about. */
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
