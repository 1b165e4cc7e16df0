// Two accounts in one browser: what one saw never stays for the other.
import type { KnownSession } from '../../playground/session.js';

type Listener = (event: { readonly data: unknown }) => void;
const heard: Listener[] = [];

class Channel {
  addEventListener(_: string, listener: Listener) {
    heard.push(listener);
  }
  removeEventListener() {}
  postMessage() {}
}

/** A storage whose keys are its own properties, as browsers have them. */
class Tab {
  [key: string]: unknown;
  getItem(key: string) {
    return Object.hasOwn(this, key) ? this[key] : null;
  }
  setItem(key: string, value: string) {
    this[key] = value;
  }
  removeItem(key: string) {
    delete this[key];
  }
}

const tab = new Tab();
for (const [name, value] of Object.entries({
  BroadcastChannel: Channel,
  sessionStorage: tab,
  navigator: { locks: { request: () => new Promise(() => undefined) } },
}))
  Object.defineProperty(globalThis, name, { value, configurable: true });

const sessionOf = (username: string): KnownSession => ({
  token: `token of ${username}`,
  refreshToken: `refresh token of ${username}`,
  until: Date.now() + 3_600_000,
  viewer: { username, roles: ['analyst'] },
});
const tell = (username: string) => {
  for (const listener of heard)
    listener({ data: { kind: 'session', session: sessionOf(username) } });
};

describe('A tab that takes the session of another one', () => {
  it('keeps what it shows while the account is the same, and nothing for another one', async () => {
    const { account } = await import('../../playground/session.js');
    const seen: (string | undefined)[] = [];
    account.watch(() => seen.push(account.value?.username));
    tell('anna');
    tab.setItem('care:answers', 'what anna saw');
    tell('anna');
    expect(tab.getItem('care:answers')).toBe('what anna saw');
    tell('bert');
    expect(seen, 'nobody is between').toStrictEqual(['anna', undefined, 'bert']);
    expect(tab.getItem('care:answers')).toBeNull();
    expect(tab.getItem('care:refresh-token')).toBe('refresh token of bert');
  });

  it('keeps nothing of whoever it was of before it was loaded again', async () => {
    const { account } = await import('../../playground/session.js');
    tell('anna');
    tab.setItem('care:answers', 'what anna saw');
    account.set(undefined);
    tab.setItem('care:answers', 'what anna saw');
    tell('bert');
    expect(tab.getItem('care:answers')).toBeNull();
  });
});
