import { gunzipSync } from 'node:zlib';
import { QUOTAS } from '../../../src/core/quota.js';
import { ConnectionError } from '../../../src/platform/database/database-errors.js';
import { useService } from '../../support/harness.js';
import {
  ANEW,
  clock,
  elsewhere,
  exchange,
  holding,
  limitBeside,
  loseChange,
  PERSONAL,
  plain,
  reading,
  stampede,
} from '../../support/kept.js';

describe('Answers that many ask for at once', () => {
  const service = useService();
  const keeping = useService(() => ({ RESPONSE_CACHE: 'on' }));

  it.each([
    ['', 3, false],
    [', also when that one breaks off', 4, true],
  ])('are made by one statement, for the first who asks%s', async (_, size, breaks) => {
    await service().post({ title: 'One' });
    for (const edition of ['/api', '/v3/api']) {
      const path = `${edition}/v1/posts?per_page=${size}`;
      const { answers, statements } = await stampede(keeping(), { path }, { callers: 45, breaks });
      expect(statements).toBe(1);
      const alone = await exchange(keeping(), path, ANEW);
      for (const answer of answers) expect(answer).toStrictEqual(alone);
    }
  });

  it('are their own again for those who waited for one that failed', async () => {
    await service().post({ title: 'One' });
    const { answers } = await stampede(
      keeping(),
      { path: '/api/v1/posts?per_page=5' },
      { callers: 20, failure: new Error('broken') },
    );
    expect(new Set(answers.map(({ status }) => status))).toStrictEqual(new Set([500]));
    expect((await exchange(keeping(), '/api/v1/posts?per_page=5')).status).toBe(200);
  });
});

describe('Cached responses of REST', () => {
  const service = useService();
  const keeping = useService(() => ({ RESPONSE_CACHE: 'on', CORS_ORIGINS: 'https://app.example' }));
  const pass = clock();
  beforeEach(() => pass(70_000));

  const POSTS = '/api/v1/posts';
  const { get, keep, isKept, left } = reading(keeping, pass);

  it.each(['/api/v1/posts', '/v3/api/v1/posts'])(
    'are the bytes and headers of one that is made now, as text and as gzip: %s',
    async (path) => {
      await service().post({ title: 'Ünë', content: 'Wörds. '.repeat(300) });
      await keep(path);
      for (const encoding of ['identity', 'gzip']) {
        const headers = { 'accept-encoding': encoding };
        expect(await isKept(path, headers)).toBe(true);
        const kept = await exchange(keeping(), path, headers);
        const made = await exchange(keeping(), path, { ...headers, ...ANEW });
        expect(kept).toStrictEqual(made);
        const fromOrigin = { ...headers, origin: 'https://app.example' };
        expect(await exchange(keeping(), path, fromOrigin)).toStrictEqual(
          await exchange(keeping(), path, { ...fromOrigin, ...ANEW }),
        );
        expect(kept.headers['content-encoding']).toBe(encoding === 'gzip' ? 'gzip' : undefined);
        const text = encoding === 'gzip' ? gunzipSync(kept.bytes) : kept.bytes;
        expect(JSON.parse(text.toString())[0].title.rendered).toBe('Ünë');
      }
    },
  );

  it('are found before anything else is read of the caller, and by address and edition', async () => {
    const { id } = await service().post({ title: 'One' });
    const [a, b] = [`/api/v1/posts/${id}`, `/v3/api/v1/posts/${id}`];
    const texts = [(await keep(a)).text, (await keep(b)).text];
    expect(texts[0]).not.toBe(texts[1]);
    expect([await isKept(a), await isKept(b)]).toStrictEqual([true, true]);
    expect([(await get(a)).text, (await get(b)).text]).toStrictEqual(texts);
    expect((await get(`${a}?_fields=id`)).body).toStrictEqual({ id });
  });

  it('are counted by this process alone', async () => {
    await service().post({ title: 'One' });
    await keep(POSTS);
    limitBeside(keeping());
    const { points } = QUOTAS.anonymous;
    expect([await left(POSTS), await left(POSTS), await left(POSTS, ANEW)]).toStrictEqual([
      points - 1,
      points - 2,
      points - 1,
    ]);
  });

  it('are refused once the points of the address are spent', async () => {
    await service().post({ title: 'One' });
    await keep(POSTS);
    keeping().limit();
    keeping().limits.local(QUOTAS.anonymous).take('127.0.0.1', QUOTAS.anonymous.points);
    const { status, body, headers } = await get(POSTS);
    expect([status, body.data.status, headers.get('cache-control')]).toStrictEqual([
      429,
      429,
      null,
    ]);
  });

  it.each([
    [500, new Error('broken')],
    [503, new ConnectionError('gone')],
  ])('are none that failed: %s', async (status, failure) => {
    await service().post({ title: 'One' });
    await keep('/api/v1/posts/404');
    const hold = holding(keeping(), failure);
    hold.release();
    const failed = [await get(POSTS), await get(POSTS)];
    hold.restore();
    expect(failed.map((answer) => [answer.status, answer.headers.has('etag')])).toStrictEqual([
      [status, false],
      [status, false],
    ]);
    expect(failed.map(({ headers }) => headers.get('cache-control'))).toStrictEqual([null, null]);
    expect((await get(POSTS)).body[0].title.rendered).toBe('One');
  });

  it('show a change of another process a second later, and one that is lost after a minute', async () => {
    await service().post({ title: 'Before' });
    await keep(POSTS);
    await elsewhere(keeping(), "UPDATE content_item SET title_rendered = 'After'");
    pass(1_000);
    expect((await get(POSTS)).text).toContain('After');
    await keep(POSTS);
    await loseChange(keeping());
    pass(50_000);
    expect((await get(POSTS)).text).toContain('After');
    pass(10_000);
    expect((await get(POSTS)).text).toContain('Lost');
  });

  it('are those of GET: HEAD before and after has their headers and no body', async () => {
    await service().post({ title: 'One' });
    const identity = { 'accept-encoding': 'identity' };
    const head = () => exchange(keeping(), POSTS, identity, 'HEAD');
    await keep('/api/v1/posts/404');
    const before = await head();
    const got = await exchange(keeping(), POSTS, identity);
    await keep(POSTS);
    const [after, kept] = [await head(), await exchange(keeping(), POSTS, identity)];
    expect([before.status, before.bytes.length]).toStrictEqual([200, 0]);
    expect(after).toStrictEqual(before);
    expect(kept).toStrictEqual(got);
    expect(JSON.parse(kept.bytes.toString())[0].title.rendered).toBe('One');
  });

  it('are whole whatever range is asked for', async () => {
    await service().post({ title: 'One' });
    const { text } = await keep(POSTS);
    for (const range of ['bytes=0-3', 'bytes=-1', 'bytes=9999999-', 'lines=1', ''])
      expect(plain(await get(POSTS, { range }))).toMatchObject({ status: 200, text });
  });

  it.each(PERSONAL)('are not sent to who brings %s', async (_, headers) => {
    await service().post({ title: 'One' });
    await keep(POSTS);
    expect(await isKept(POSTS, headers)).toBe(false);
    expect((await get(POSTS, headers)).headers.get('cache-control')).toBe('private, no-cache');
    expect(await isKept(POSTS)).toBe(true);
  });

  it('are sent whatever cookies come along, which mean nothing', async () => {
    await service().post({ title: 'One' });
    const kept = await keep(POSTS);
    expect(await isKept(POSTS, { cookie: 'session=1' })).toBe(true);
    expect(plain(await get(POSTS, { cookie: 'session=1' }))).toStrictEqual(plain(kept));
    expect(kept.headers.has('set-cookie')).toBe(false);
  });

  it.each([
    'password=open',
    '%70assword=open',
    'PassWord=x&passwor%64=open',
    '%zz&%50=1&p%61ssword=open',
  ])('are none that a password opens, however its name is written: %s', async (query) => {
    const { id } = await service().post({ title: 'Shut', content: 'secret', password: 'open' });
    const path = `/api/v1/posts/${id}?${query}`;
    const opened = await keep(path);
    expect(opened.text).toContain('secret');
    expect([opened.headers.get('cache-control'), await isKept(path)]).toStrictEqual([
      'private, no-cache',
      false,
    ]);
  });

  it('let caches tell callers apart by all that an answer depends on', async () => {
    await service().post({ title: 'One' });
    const vary = [(await get(POSTS)).headers, (await keep(POSTS)).headers].map(
      (headers) => headers.get('vary')?.split(', ') ?? [],
    );
    for (const names of vary)
      for (const name of ['Origin', 'Authorization', 'Time-Zone']) expect(names).toContain(name);
  });

  it('are 304 for who names their tag, in whatever list, and for no one else', async () => {
    await service().post({ title: 'One' });
    const made = await get(POSTS);
    const tag = made.headers.get('etag') ?? '';
    const bare = tag.slice(2);
    const others = Array.from({ length: 300 }, (_, i) => `W/"${i}"`);
    const known = [
      '*',
      ' * ',
      tag,
      bare,
      `"a,b", ${tag}`,
      `,, ${tag} ,`,
      [...others, tag].join(', '),
      [bare, ...others].join(','),
    ];
    const unknown = [
      '',
      others.join(', '),
      bare.replaceAll('"', ''),
      `'${bare.slice(1, -1)}'`,
      `${bare.slice(0, -1)}`,
      bare.slice(1),
      `"${bare.slice(1, -1)}x"`,
      '"*"',
      '"a,*,b"',
      'W/*',
      '"',
    ];
    const statuses = async (list: string[]) => {
      const found: [string, number, boolean][] = [];
      for (const tags of list) {
        const answer = await get(POSTS, { 'if-none-match': tags });
        found.push([tags, answer.status, answer.text === '']);
      }
      return found;
    };
    const expected = [
      ...known.map((tags) => [tags, 304, true]),
      ...unknown.map((tags) => [tags, 200, false]),
    ];
    expect(await statuses([...known, ...unknown])).toStrictEqual(expected);
    await keep(POSTS);
    expect(await statuses([...known, ...unknown])).toStrictEqual(expected);
    expect(await isKept(POSTS, { 'if-none-match': tag })).toBe(true);
  });

  it('are none above a mebibyte, which are made anew for each caller', async () => {
    await service().post({ title: 'Large', content: 'Wörd '.repeat(100_000) });
    await service().post({ title: 'Large', content: 'Wörd '.repeat(100_000) });
    const large = await keep(POSTS);
    expect(Buffer.byteLength(large.text)).toBeGreaterThan(1024 * 1024);
    expect(await isKept(POSTS)).toBe(false);
    expect(plain(await get(POSTS))).toStrictEqual(plain(large));
    expect(await isKept(`${POSTS}?_fields=id`)).toBe(false);
    await keep(`${POSTS}?_fields=id`);
    expect(await isKept(`${POSTS}?_fields=id`)).toBe(true);
  });
});
