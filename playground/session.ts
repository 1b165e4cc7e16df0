import { Observed } from './observed.js';
import { alone, hear, newest, tell } from './shared-session.js';

/** Who is signed in. */
export interface Account {
  readonly username: string;
  readonly roles: readonly string[];
}

/** Who is signed in; undefined for nobody. */
export const account = new Observed<Account | undefined>(undefined);

/** How many sessions ended in this page: what is shown of one is drawn anew for the next. */
export const ended = new Observed(0);

/**
 * Key of the refresh token. It stays in the tab and ends with it. The access token is in memory
 * alone. Tabs that are open at the same time share both (shared-session.ts).
 */
const KEY = 'care:refresh-token';
/** Key of the name of whose session it is: what the tab keeps is what they saw. */
const WHO = 'care:username';
/** All that this page keeps in the tab has keys that begin so. */
const OWN_KEYS = 'care:';
/** An access token is renewed so many milliseconds before it expires. */
const EARLY = 60_000;

const SESSION = 'token refreshToken expiresIn viewer { username roles }';
const SIGN_IN = `mutation SignIn($input: LoginInput!) { session: login(input: $input) { ${SESSION} } }`;
const REFRESH = `mutation Refresh($input: RefreshTokenInput!) {
  session: refreshToken(input: $input) { ${SESSION} }
}`;
const SIGN_OUT = 'mutation SignOut { signOut { __typename } }';

interface Session {
  readonly token: string;
  readonly refreshToken: string;
  readonly expiresIn: number;
  readonly viewer: Account;
}

/** A session as tabs tell each other of it. */
export interface KnownSession extends Omit<Session, 'expiresIn'> {
  /** Until when its token is good, in milliseconds since 1970. */
  readonly until: number;
}

let current: KnownSession | undefined;
hear({ current: () => current, adopt, end });
let renewing: Promise<boolean> | undefined;

/** Returns an access token that is good for a minute at least; undefined when nobody signed in. */
export async function accessToken(): Promise<string | undefined> {
  if (current && current.until - EARLY < Date.now()) await renewed(current.token);
  return current?.token;
}

/**
 * Replaces an access token by the next one of its session. Returns whether there is one. Whoever
 * asks meanwhile waits for the same one: a refresh token is used once.
 */
export function renewed(token: string | undefined): Promise<boolean> {
  if (current && current.token !== token) return Promise.resolve(true);
  renewing ??= refresh().finally(() => {
    renewing = undefined;
  });
  return renewing;
}

/** Goes on with the session of this tab, or of another one, if there is one. */
export const resume = (): Promise<boolean> => renewed(undefined);

/** One tab renews at a time: the others take what it got. */
const refresh = (): Promise<boolean> => {
  const before = current?.token;
  return alone(async () => {
    await newest(before);
    return (current && current.token !== before) || renew();
  });
};

async function renew(): Promise<boolean> {
  const refreshToken = sessionStorage.getItem(KEY);
  if (!refreshToken) return false;
  const { session, code } = await ask(REFRESH, { input: { refreshToken } });
  if (session) keep(session);
  else if (code === 'REFRESH_TOKEN_INVALID') end();
  return session !== undefined;
}

/** Signs in. Throws what the service says when it refuses. */
export async function signIn(username: string, password: string): Promise<void> {
  const { session, refused } = await ask(SIGN_IN, { input: { username, password } });
  if (!session) throw new Error(refused ?? 'The service did not answer. Try again.');
  // A session that could not be renewed may be of somebody else, with what they saw.
  if (sessionStorage.getItem(KEY)) end();
  keep(session);
}

/** Ends the session, here and on the service. */
export async function signOut(): Promise<void> {
  const token = current?.token;
  end();
  tell('ended');
  if (token) await ask(SIGN_OUT, {}, token);
}

function keep({ expiresIn, ...session }: Session): void {
  adopt({ ...session, until: Date.now() + expiresIn * 1000 });
  tell('session', current);
}

function adopt(session: KnownSession): void {
  const { viewer } = session;
  const before = sessionStorage.getItem(WHO);
  if (before !== null && before !== viewer.username) end();
  current = session;
  sessionStorage.setItem(KEY, session.refreshToken);
  sessionStorage.setItem(WHO, viewer.username);
  if (JSON.stringify(viewer) !== JSON.stringify(account.value)) account.set(viewer);
}

/**
 * Returns what comes back for whoever is signed in now. Throws when somebody else is, or nobody, once
 * it comes: it is not for them.
 */
export async function forAccount<T>(coming: Promise<T>): Promise<T> {
  const before = ended.value;
  const given = await coming;
  if (ended.value !== before) throw new Error('The session has ended since this was asked.');
  return given;
}

/** Ends the session in this tab. Nothing of what somebody saw stays for whoever comes next. */
function end(): void {
  current = undefined;
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith(OWN_KEYS)) sessionStorage.removeItem(key);
  account.set(undefined);
  ended.set(ended.value + 1);
}

/**
 * Asks without who is signed in. `refused` and `code` are what the service said; nothing when it was
 * silent.
 */
async function ask(
  query: string,
  variables: object,
  token?: string,
): Promise<{ readonly session?: Session; readonly refused?: string; readonly code?: string }> {
  try {
    const response = await fetch('/graphql', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/graphql-response+json',
        ...(token && { Authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ query, variables }),
      credentials: 'omit',
    });
    const { data, errors } = await response.json();
    const [error] = errors ?? [];
    if (!error) return { session: data?.session ?? undefined };
    return { refused: String(error.message), code: String(error.extensions?.code ?? '') };
  } catch {
    return {};
  }
}
