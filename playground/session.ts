import { Observed } from './observed.js';

/** Who is signed in. */
export interface Account {
  readonly username: string;
  readonly roles: readonly string[];
}

/** Who is signed in; undefined for nobody. */
export const account = new Observed<Account | undefined>(undefined);

/**
 * Key of the refresh token. It stays in the tab and ends with it. The access token is in memory
 * alone.
 */
const KEY = 'care:refresh-token';
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

let current: { readonly token: string; readonly until: number } | undefined;
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

/** Goes on with the session of this tab, if it has one. */
export const resume = (): Promise<boolean> => renewed(undefined);

async function refresh(): Promise<boolean> {
  const refreshToken = sessionStorage.getItem(KEY);
  if (!refreshToken) return false;
  const { session, refused } = await ask(REFRESH, { input: { refreshToken } });
  if (session) keep(session);
  else if (refused) forget();
  return session !== undefined;
}

/** Signs in. Throws what the service says when it refuses. */
export async function signIn(username: string, password: string): Promise<void> {
  const { session, refused } = await ask(SIGN_IN, { input: { username, password } });
  if (!session) throw new Error(refused ?? 'The service did not answer. Try again.');
  keep(session);
}

/** Ends the session, here and on the service. */
export async function signOut(): Promise<void> {
  const token = current?.token;
  forget();
  if (token) await ask(SIGN_OUT, {}, token);
}

function keep({ token, refreshToken, expiresIn, viewer }: Session): void {
  current = { token, until: Date.now() + expiresIn * 1000 };
  sessionStorage.setItem(KEY, refreshToken);
  if (JSON.stringify(viewer) !== JSON.stringify(account.value)) account.set(viewer);
}

function forget(): void {
  current = undefined;
  sessionStorage.removeItem(KEY);
  account.set(undefined);
}

/** Asks without who is signed in. `refused` is what the service said; nothing when it was silent. */
async function ask(
  query: string,
  variables: object,
  token?: string,
): Promise<{ readonly session?: Session; readonly refused?: string }> {
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
    const refused = errors?.[0]?.message as string | undefined;
    return { session: data?.session ?? undefined, ...(refused && { refused }) };
  } catch {
    return {};
  }
}
