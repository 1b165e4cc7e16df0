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
  location: { hash: '', search: '', pathname: '/graphql' },
  addEventListener: () => undefined,
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

describe('A session that ends', () => {
  /** Answers that the service gives once they are released. */
  const waiting: ((names: readonly string[]) => void)[] = [];
  const fetchBefore = globalThis.fetch;
  beforeAll(() => {
    globalThis.fetch = () =>
      new Promise((resolve) =>
        waiting.push((names) => {
          const rows = names.map((medicineType) => ({ medicineType, taken: 1 }));
          resolve(Response.json({ data: { doseReport: { rows } } }));
        }),
      );
  });
  afterAll(() => {
    globalThis.fetch = fetchBefore;
  });
  const settled = () => new Promise((resolve) => setTimeout(resolve, 20));

  it('leaves no values of filters for the next account, nor those that come too late', async () => {
    const { valuesOf } = await import('../../playground/builder/values.js');
    const option = { name: 'medicineType', description: '', type: 'String' };
    const subject = {
      ...{ name: 'doseReport', measures: [{ name: 'taken' }], dimensions: [option] },
      ...{ filters: [option], options: [], ranges: [], companions: [], sums: [], totals: [] },
      ...{ explains: { report: [], row: [], total: [] }, hasIntervals: false },
    };
    const asked = () =>
      valuesOf(subject as never, option as never, { range: 'LAST_12_MONTHS' } as never);
    tell('anna');
    const own = asked();
    await settled();
    waiting.shift()?.(['insulin']);
    await expect(own).resolves.toStrictEqual(['insulin']);
    tell('bert');
    const late = asked().catch((error: Error) => error.message);
    await settled();
    expect(waiting, 'bert asks anew').toHaveLength(1);
    tell('anna');
    waiting.shift()?.(['patch']);
    expect(await late).toMatch(/session has ended/);
    const again = asked();
    await settled();
    waiting.shift()?.(['insulin']);
    await expect(again).resolves.toStrictEqual(['insulin']);
  });

  it('keeps no answer that comes after it', async () => {
    const { ask, asked, past, work } = await import('../../playground/builder/work.js');
    tell('anna');
    work.set({ ...work.value, text: '{ doseReport { rows { medicineType taken } } }' });
    const answer = ask('Doses');
    await settled();
    tell('bert');
    waiting.shift()?.(['insulin']);
    await answer;
    expect([asked.value, past.value]).toStrictEqual([undefined, []]);
    expect(String(tab.getItem('care:asked-at'))).not.toContain('insulin');
  });
});

describe('A report that is saved', () => {
  it('is saved although the list of reports cannot be read', async () => {
    const { saveReport } = await import('../../playground/saved-reports.js');
    const fetchBefore = globalThis.fetch;
    tell('anna');
    let saved = 0;
    globalThis.fetch = async (_, { body } = {}) => {
      if (!String(body).includes('SaveReport'))
        return Response.json({ errors: [{ message: 'Too many requests.' }] }, { status: 429 });
      saved++;
      return Response.json({ data: { saved: { savedReport: { id: 'R' } } } });
    };
    const report = { name: 'R', query: '{ a }', variables: '{}', view: null, measure: null };
    try {
      expect(await saveReport({ ...report, isShared: false })).toBe('R');
      expect(saved).toBe(1);
    } finally {
      globalThis.fetch = fetchBefore;
    }
  });
});

describe('A report that is deleted', () => {
  it('is in the list no more, although the list cannot be read', async () => {
    const { deleteReport, savedReports } = await import('../../playground/saved-reports.js');
    const fetchBefore = globalThis.fetch;
    tell('anna');
    globalThis.fetch = async (_, { body } = {}) =>
      String(body).includes('DeleteReport')
        ? Response.json({ data: { deleteSavedReport: { savedReport: { id: 'R' } } } })
        : Response.json({ errors: [{ message: 'Too many requests.' }] }, { status: 429 });
    const report = { name: 'R', query: '{ a }', variables: '{}', view: null, measure: null };
    const more = { isShared: false, isOwn: true, ownerName: 'Anna', problem: null, mailing: null };
    savedReports.set(['R', 'S'].map((id) => ({ id, ...report, ...more })));
    try {
      await deleteReport('R');
      expect(savedReports.value.map(({ id }) => id)).toStrictEqual(['S']);
    } finally {
      globalThis.fetch = fetchBefore;
    }
  });
});
