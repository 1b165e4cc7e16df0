import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { ResponseCache, Writers } from '../../src/core/response-cache.js';
import { type CachedResponse, cachedResponse } from '../../src/rest/http/cached-response.js';
import { type Answer, useService } from '../support/harness.js';
import { ANEW, clock, holding, plain, ROLES, SHARED, tablesOf, until } from '../support/kept.js';

describe('Answers that are kept for anonymous callers', () => {
  const service = useService();
  const keeping = useService(() => ({ RESPONSE_CACHE: 'on', CORS_ORIGINS: 'https://app.example' }));
  const pass = clock();
  beforeEach(() => pass(70_000));

  const get = (path: string, headers: Record<string, string> = {}) =>
    keeping().fetch(path, { headers });
  /** How many statements a request sends, besides the look at what has changed. */
  async function statementsOf(path: string, headers?: Record<string, string>): Promise<number> {
    await get('/api/v1/statuses');
    return keeping().statements(() => get(path, headers));
  }
  /** Makes the service keep the answer to a path. */
  async function keep(path: string): Promise<Answer> {
    await get(path);
    pass(1_100);
    await get(path);
    return get(path);
  }

  it('are sent again without a statement, as the same bytes and headers', async () => {
    await service().post({ title: 'One' });
    const kept = await keep('/api/v1/posts');
    expect(await statementsOf('/api/v1/posts')).toBe(0);
    const path = '/api/v1/posts';
    expect(plain(await get(path))).toStrictEqual(plain(await get(path, ANEW)));
    expect(kept.headers.get('cache-control')).toBe(SHARED);
    expect(await statementsOf(path, { 'accept-encoding': 'gzip' })).toBe(0);
  });

  it('show a change at once in the process that makes it', async () => {
    const { id } = await service().post({ title: 'Before' });
    await keep(`/api/v1/posts/${id}`);
    await service().rest('POST', `/v1/posts/${id}`, { as: 'editor', body: { title: 'After' } });
    expect((await get(`/api/v1/posts/${id}`)).body.title.rendered).toBe('After');
  });

  it('show others what was, while one request makes what is, and nothing old to who writes', async () => {
    const { id } = await service().post({ title: 'Before' });
    const path = `/api/v1/posts/${id}`;
    await keep(path);
    await service().rest('POST', `/v1/posts/${id}`, { as: 'editor', body: { title: 'After' } });
    pass(1_100);
    const writers = jest.spyOn(keeping().app.deps.writers, 'includes').mockReturnValue(false);
    const title = async (asked: Promise<Answer>) => (await asked).body.title.rendered;
    const hold = holding(keeping());
    const first = title(get(path));
    await until(() => hold.asked() > 0);
    expect(await title(get(path))).toBe('Before');
    await keeping().fetch('/api/v1/statuses', { method: 'OPTIONS' });
    expect(await title(get(path)), 'a preflight writes nothing').toBe('Before');
    writers.mockRestore();
    await keeping().fetch('/api/v1/statuses', { method: 'POST' });
    const writer = title(get(path));
    hold.release();
    expect([await first, await writer]).toStrictEqual(['After', 'After']);
    hold.restore();
  });

  it('outlive a write that is rolled back, which shows nowhere', async () => {
    await service().post({ title: 'Before' });
    const kept = await keep('/api/v1/posts');
    const write = keeping().database.query(`DO $$ BEGIN
      UPDATE content_item SET title_rendered = 'Undone';
      RAISE EXCEPTION 'undone';
    END $$`);
    await expect(write).rejects.toThrow('undone');
    pass(1_100);
    expect((await get('/api/v1/posts')).text).toBe(kept.text);
    expect(await statementsOf('/api/v1/posts')).toBe(0);
  });

  it('are found by If-None-Match among many tags, and hold for GET and HEAD alone', async () => {
    await service().post({ title: 'One' });
    const { headers } = await keep('/api/v1/posts');
    const tag = headers.get('etag') as string;
    const tags = { 'if-none-match': `"a", W/"b", ${tag.replace('W/', '')}` };
    const known = await get('/api/v1/posts', tags);
    expect([known.status, known.text]).toStrictEqual([304, '']);
    expect((await get('/api/v1/posts', { range: 'bytes=0-3' })).status).toBe(200);
    const head = await keeping().fetch('/api/v1/posts', { method: 'HEAD' });
    expect([head.status, head.text, head.headers.get('etag')]).toStrictEqual([200, '', tag]);
    const same = await keeping().fetch('/api/v1/posts', { method: 'HEAD', headers: tags });
    expect([same.status, same.headers.get('etag')]).toStrictEqual([304, tag]);
  });

  it('name the origin that asks, and no other', async () => {
    await service().post({ title: 'One' });
    await keep('/api/v1/posts');
    const allowed = async (origin: string) => {
      const { headers } = await get('/api/v1/posts', { origin });
      return [headers.get('access-control-allow-origin'), headers.get('vary')];
    };
    expect(await allowed('https://app.example')).toStrictEqual([
      'https://app.example',
      'Origin, Authorization, Time-Zone, Accept-Encoding',
    ]);
    expect(await allowed('https://evil.example')).toStrictEqual([
      null,
      'Origin, Authorization, Time-Zone, Accept-Encoding',
    ]);
  });

  it.each(ROLES)('are not those of a signed-in caller, nor sent to one: %s', async (role) => {
    await service().post({ title: 'One' });
    const path = '/api/v1/posts';
    const as = await service().authorization(role);
    pass(1_100);
    const own = await get(path, as);
    const open = await keep(path);
    expect([own.headers.get('cache-control'), open.headers.has('allow')]).toStrictEqual([
      'no-cache, must-revalidate, max-age=0, no-store, private',
      true,
    ]);
    expect((await get(path, as)).headers.get('cache-control')).toMatch(/private/);
    expect((await get(path)).headers.get('cache-control')).toMatch(/^public/);
  });

  it('hold neither what a password opens nor what is asked for in a zone', async () => {
    const { id } = await service().post({ title: 'Shut', content: 'secret', password: 'open' });
    const path = `/api/v1/posts/${id}?password=open`;
    const opened = await keep(path);
    expect([opened.body.content.rendered, opened.headers.get('cache-control')]).toStrictEqual([
      expect.stringContaining('secret'),
      'private, no-cache',
    ]);
    expect(await statementsOf(path)).toBeGreaterThan(0);
    await keep('/api/v1/posts');
    const zone = { 'time-zone': 'Asia/Kolkata' };
    const inZone = await get('/api/v1/posts', zone);
    expect(inZone.headers.get('cache-control')).toBe('private, no-cache');
    expect(await statementsOf('/api/v1/posts', zone)).toBeGreaterThan(0);
  });

  it('are no errors', async () => {
    await keep('/api/v1/posts/404');
    expect(await statementsOf('/api/v1/posts/404')).toBeGreaterThan(0);
  });

  it('cost a point each', async () => {
    keeping().limit();
    await keep('/api/v1/posts');
    const left = async () =>
      Number(/r=(\d+)/.exec((await get('/api/v1/posts')).headers.get('ratelimit') ?? '')?.[1]);
    const first = await left();
    expect(await left()).toBe(first - 1);
  });

  it('read only tables that tell of their changes', async () => {
    const { id } = await service().post({
      title: 'One',
      tags: [await service().term('TAG', 'Red')],
    });
    const { read, silent } = await tablesOf(keeping(), async () => {
      const embeds = '_embed=author,wp:term,wp:featuredmedia';
      for (const path of [
        `posts?${embeds}&search=one`,
        `posts/${id}?${embeds}`,
        'pages',
        'healthcare',
      ])
        await get(`/v3/api/v1/${path}`);
      for (const path of ['users', 'users/1', 'media', 'tags', 'tags?post=1', 'categories/1'])
        await get(`/api/wp/v2/${path}`);
    });
    expect([read.has('content_item'), silent]).toStrictEqual([true, []]);
  });

  it('equal those made now, after any sequence of changes', async () => {
    const paths = [
      '/api/v1/posts?per_page=5',
      '/v3/api/v1/posts?_embed=author,wp:term',
      '/api/wp/v2/tags',
      '/api/wp/v2/users',
    ];
    const tag = await service().term('TAG', 'Red');
    const posts = [(await service().post({ title: 'a', tags: [tag] })).id];
    const change = (path: string, body: object) =>
      service().rest('POST', path, { as: 'administrator', body });
    const changes = {
      create: async (n: number) => void posts.push((await service().post({ title: `t ${n}` })).id),
      rename: (n: number) => change(`/v1/posts/${posts[n % posts.length]}`, { title: `r ${n}` }),
      hide: (n: number) =>
        change(`/v1/posts/${posts[n % posts.length]}`, { status: n % 2 ? 'draft' : 'publish' }),
      file: (n: number) =>
        change(`/v1/posts/${posts[n % posts.length]}`, { tags: n % 2 ? [tag] : [] }),
      term: (n: number) =>
        service().database.query(`UPDATE term SET name = 'Tag ' || $1 WHERE id = $2`, [
          `${n}`,
          tag,
        ]),
      author: (n: number) =>
        service().database.query(`UPDATE account SET name = 'Author ' || $1`, [`${n}`]),
    };
    const step = fc.tuple(
      fc.constantFrom(...(Object.keys(changes) as (keyof typeof changes)[])),
      fc.nat(20),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 8 }), async (steps) => {
        for (const [what, n] of steps) {
          pass(1_100);
          for (const path of paths) await get(path);
          await changes[what](n);
          for (const path of paths) {
            const [kept, made] = [await get(path), await get(path, ANEW)].map(plain);
            expect([path, isDeepStrictEqual(kept, made)]).toStrictEqual([path, true]);
          }
        }
      }),
      { numRuns: Number(process.env.KEPT_SEQUENCES ?? 12) },
    );
  });
});

describe('The keeper of answers', () => {
  const pass = clock();
  const NETWORK = '192.0.2.1';
  const answer = (text: string) =>
    cachedResponse(
      { status: 200, headers: {}, body: undefined, isPublic: true },
      { route: '/' },
      text,
    );
  /** A keeper beside a database of which it sees the changes of others alone. */
  function keeper() {
    const state = { version: '1', source: 'content_item', age: 0, looks: 0, down: false };
    const database = {
      writes: 0,
      query: async () => {
        state.looks++;
        if (state.down) throw new Error('down');
        return [{ id: state.version, source: state.source, age: state.age }];
      },
    };
    const writers = new Writers();
    const kept = new ResponseCache<CachedResponse>(database as never, writers);
    return { state, database, writers, kept };
  }
  async function filled() {
    const made = keeper();
    (await made.kept.take('/', NETWORK)).settle();
    pass(1_100);
    (await made.kept.take('/', NETWORK)).settle(answer('first'));
    return made;
  }
  const textOf = async (kept: ResponseCache<CachedResponse>) => {
    const place = await kept.take('/', NETWORK);
    if (!place.response) place.settle();
    return place.response?.body.plain.toString();
  };

  it('makes one of a thousand requests for an answer that is not there make it', async () => {
    const { kept, state } = await filled();
    const looks = state.looks;
    const places = Array.from({ length: 1_000 }, () => kept.take('/other', NETWORK));
    const first = await places[0];
    first?.settle(answer('made once'));
    const answers = await Promise.all(places.slice(1));
    expect(first?.response).toBeUndefined();
    expect(new Set(answers.map((place) => place.response?.body.plain.toString()))).toStrictEqual(
      new Set(['made once']),
    );
    expect(state.looks).toBe(looks);
  });

  it('lets those who waited in vain make their own', async () => {
    const { kept } = await filled();
    const [first, second] = [kept.take('/other', NETWORK), kept.take('/other', NETWORK)];
    (await first).settle();
    expect((await second).response).toBeUndefined();
  });

  it('sees a change of another process within a second', async () => {
    const { kept, state } = await filled();
    expect(await textOf(kept)).toBe('first');
    state.version = '2';
    pass(1_001); // a sum of fractions may be less than a whole second
    expect(await textOf(kept)).toBeUndefined();
  });

  it('sees a change of its own process at once', async () => {
    const { kept, state, database } = await filled();
    state.version = '2';
    database.writes++;
    expect(await textOf(kept)).toBeUndefined();
  });

  it('keeps nothing that was made before a change', async () => {
    const { kept, state, database } = await filled();
    const place = await kept.take('/other', NETWORK);
    state.version = '2';
    database.writes++;
    await textOf(kept);
    place.settle(answer('of before'));
    pass(1_100);
    const again = await kept.take('/other', NETWORK);
    expect(again.response).toBeUndefined();
    again.settle();
  });

  describe('with an answer that does not show a change', () => {
    /** Changes something, and lets one caller begin to make the answer anew. */
    async function outdated(source = 'content_item', age = 0) {
      const made = await filled();
      Object.assign(made.state, { version: '2', source, age });
      made.database.writes++;
      const maker = await made.kept.take('/', NETWORK);
      expect(maker.response, 'the first makes it anew').toBeUndefined();
      return { ...made, maker };
    }
    const given = async (kept: ResponseCache<CachedResponse>, network: string) => {
      const waiting = kept.take('/', network);
      const place = await Promise.race([waiting, new Promise<undefined>(setImmediate)]);
      return { text: place?.response?.body.plain.toString(), waiting };
    };

    it('gives it to others while one makes it anew', async () => {
      const { kept, maker } = await outdated();
      expect((await given(kept, '192.0.2.2')).text).toBe('first');
      maker.settle(answer('second'));
      expect((await given(kept, '192.0.2.2')).text).toBe('second');
    });

    it('lets whoever has sent a write wait for the new one', async () => {
      const { kept, writers, maker } = await outdated();
      writers.note('192.0.2.3');
      const { text, waiting } = await given(kept, '192.0.2.3');
      expect(text).toBeUndefined();
      maker.settle(answer('second'));
      expect((await waiting).response?.body.plain.toString()).toBe('second');
    });

    it('gives it to nobody for more than ten seconds', async () => {
      const { kept, maker } = await outdated();
      pass(10_001);
      const { text, waiting } = await given(kept, '192.0.2.2');
      expect(text).toBeUndefined();
      maker.settle(answer('second'));
      expect((await waiting).response?.body.plain.toString()).toBe('second');
    });

    it('gives it to nobody when the change was made more than ten seconds ago', async () => {
      const { kept, maker } = await outdated('content_item', 10_000);
      const { text, waiting } = await given(kept, '192.0.2.2');
      expect(text).toBeUndefined();
      maker.settle(answer('second'));
      await waiting;
    });

    it('gives it to nobody once it is known that there is none any more', async () => {
      const { kept, maker } = await outdated();
      maker.settle();
      const next = await kept.take('/', NETWORK);
      expect((await given(kept, '192.0.2.2')).text).toBeUndefined();
      next.settle();
    });

    it('gives it to nobody after a change of the site', async () => {
      const { kept, maker } = await outdated('site');
      const { text, waiting } = await given(kept, '192.0.2.2');
      expect(text).toBeUndefined();
      maker.settle(answer('second'));
      await waiting;
    });

    it('lets the next caller make it when the first fails', async () => {
      const { kept, maker } = await outdated();
      maker.settle();
      const next = await kept.take('/', '192.0.2.2');
      expect(next.response).toBeUndefined();
      next.settle(answer('second'));
      expect(await textOf(kept)).toBe('second');
    });

    it('keeps what is made while something changes each second', async () => {
      const { kept, state, database, maker } = await outdated();
      maker.settle(answer('second'));
      let misses = 0;
      for (let change = 3; change < 13; change++) {
        Object.assign(state, { version: `${change}` });
        database.writes++;
        for (let request = 0; request < 50; request++) {
          pass(20);
          const place = await kept.take('/', '192.0.2.2');
          if (place.response) continue;
          misses++;
          place.settle(answer(`${change}`));
        }
      }
      expect(misses).toBe(10);
    });
  });

  it('drops an answer after a minute, even when a change went unnoticed', async () => {
    const { kept } = await filled();
    pass(59_000);
    expect(await textOf(kept)).toBe('first');
    pass(1_000);
    expect(await textOf(kept)).toBeUndefined();
  });

  it('keeps nothing back and sends nothing while the database does not answer', async () => {
    const { kept, state } = await filled();
    state.down = true;
    pass(1_000);
    expect(await textOf(kept)).toBeUndefined();
    state.down = false;
    expect(await textOf(kept)).toBe('first');
  });

  it('holds some thousands of short ones at most, and none that is past its time', async () => {
    const { kept, state, database } = await filled();
    const keep = async (path: string) => (await kept.take(path, NETWORK)).settle(answer('[]'));
    for (let i = 0; i < 20_000; i++) await keep(`/${i}?${'x'.repeat(500)}`);
    const { size } = kept;
    expect(size).toBeLessThan(11_000);
    pass(11_000);
    Object.assign(state, { version: '2', age: 11_000 });
    database.writes++;
    await keep('/last');
    expect(kept.size).toBe(1);
  });

  it('holds 32 MiB at most with keys and what an entry takes, the newest', async () => {
    const { kept } = await filled();
    const large = 'x'.repeat(1024 * 1024);
    for (let i = 0; i < 33; i++) (await kept.take(`/${i}`, NETWORK)).settle(answer(large));
    const known = async (path: string) => {
      const place = await kept.take(path, NETWORK);
      if (!place.response) place.settle();
      return place.response !== undefined;
    };
    expect([
      await known('/'),
      await known('/1'),
      await known('/2'),
      await known('/32'),
    ]).toStrictEqual([false, false, true, true]);
    (await kept.take('/larger', NETWORK)).settle(answer(`${large}x`));
    expect(await known('/larger')).toBe(false);
  });
});
