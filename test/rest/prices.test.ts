// What a request pays beside its operation: for its body, its document, its texts. The prices follow
// the CPU that reading takes; `bench/hostile.mjs` measures it.
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { QUOTAS } from '../../src/core/quota.js';
import { makeMedicine } from '../support/factories.js';
import { type Answer, type Caller, useService } from '../support/harness.js';
import { raw as sendRaw } from './wire.js';

const KIB = 1024;
const JSON_TYPE = { 'content-type': 'application/json' };
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

describe('The price of a request', () => {
  const service = useService();
  beforeEach(() => service().at(1_800_000_000_000));

  const left = ({ headers }: { headers: Headers }) =>
    Number(/;r=(\d+);/.exec(headers.get('ratelimit') ?? '')?.[1]);
  /** The points of what a caller asks for. */
  async function points(
    ask: () => Promise<{ headers: Headers }>,
    as: Caller = 'anonymous',
  ): Promise<number> {
    const before = left(await service().rest('GET', '/v1/none', { as }));
    return before - left(await ask());
  }
  /** Sends a GET with a body of JSON. */
  const getting = (path: string, body: string) => async () => {
    const lines = [
      `GET ${path} HTTP/1.1`,
      'Host: localhost',
      'Connection: close',
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ];
    const answer = await sendRaw(service().url, [`${lines.join('\r\n')}\r\n\r\n${body}`]);
    const [, ratelimit = ''] = /^ratelimit: (.*)$/im.exec(answer) ?? [];
    return { headers: new Headers({ ratelimit: ratelimit.trim() }) };
  };
  const graphql = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
    service().fetch('/graphql', { method: 'POST', body, headers: { ...JSON_TYPE, ...headers } });

  it('has a point for every 64 KiB of a body, on both faces, whatever comes of it', async () => {
    service().limit();
    const json = `{"x": "${'x'.repeat(130 * KIB)}"}`;
    const send = (raw: string, headers: Record<string, string>) => () =>
      service().rest('POST', '/v1/posts', { raw, headers });
    expect(await points(send(json, JSON_TYPE)), 'beside the 10 of a change').toBe(12);
    expect(await points(send(json.slice(0, 129 * KIB), JSON_TYPE)), 'that breaks off').toBe(3);
    expect(await points(send(`a=${'%41'.repeat(43 * KIB)}`, FORM))).toBe(12);
    expect(await points(send(`a=${'x'.repeat(1_000)}`, FORM)), 'a short one').toBe(10);
    const query = JSON.stringify({ query: '{ viewer { id } }', x: 'x'.repeat(130 * KIB) });
    expect(await points(() => graphql(query))).toBe(3);
    expect(await points(() => graphql(query.slice(0, -1))), 'that breaks off').toBe(3);
    const packed = Uint8Array.from(gzipSync(query));
    expect(packed.length).toBeLessThan(KIB);
    expect(
      await points(() => graphql(packed, { 'content-encoding': 'gzip' })),
      'as it is unpacked',
    ).toBe(3);
  });

  it('has one for every 1,000 names in a body of JSON, on both faces, whatever comes of it', async () => {
    service().limit();
    const named = (count: number, more = {}) =>
      JSON.stringify({
        ...more,
        x: '1:1,'.repeat(500),
        ...Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i])),
      });
    const post = (raw: string, headers = JSON_TYPE) =>
      points(() => service().rest('POST', '/v1/none', { raw, headers }));
    expect(await post(named(500)), 'of few').toBe(1);
    expect(await post(named(4_400))).toBe(6);
    expect(await post(named(4_400).slice(0, -1)), 'that breaks off').toBe(6);
    expect(await post(named(4_400), FORM), 'in a form that is none').toBe(1);
    const query = '{ viewer { id } }';
    expect(await points(() => graphql(named(500, { query })))).toBe(1);
    expect(await points(() => graphql(named(4_400, { query })))).toBe(6);
    const input = JSON.parse(named(4_400));
    const wrong = 'mutation($i: CreatePostInput!) { createPost(input: $i) { item { id } } }';
    expect(await points(() => service().graphql(wrong, { i: input })), 'of a mistake').toBe(6);
  });

  it('has them for what unpacks to more than is taken, or breaks off', async () => {
    service().limit();
    const send = (encoding: string, body: Buffer) => () =>
      graphql(Uint8Array.from(body), { 'content-encoding': encoding });
    const long = Buffer.alloc(8 * 1024 * KIB, '"a\n');
    expect(await points(send('gzip', gzipSync(long)))).toBe(1 + 32);
    expect(await points(send('br', brotliCompressSync(long)))).toBe(1 + 32);
    const broken = gzipSync(long.subarray(0, 1024 * KIB)).subarray(0, -8);
    expect(await points(send('gzip', broken)), 'as long as it may be').toBe(
      1 + Math.floor((broken.length * 1_032) / (64 * KIB)),
    );
  });

  it('has one for a page, also to sign in', async () => {
    service().limit();
    const visit = (path: string) => async () => {
      await service().fetch(path, { method: 'GET' });
      return service().rest('GET', '/v1/none');
    };
    for (const path of ['/admin/login', '/admin/set-password?link=x', '/admin/'])
      expect(await points(visit(path)), path).toBe(2);
    await service().limits.limiter(QUOTAS.anonymous).take('127.0.0.1', 1_000);
    const { status, headers } = await service().fetch('/admin/login', { method: 'GET' });
    expect([status, headers.get('retry-after')]).toStrictEqual([429, '60']);
  });

  it('is not paid twice: a body that the quota does not cover is refused before it is read', async () => {
    service().limit();
    const spend = async (until: number) => {
      const limiter = service().limits.limiter(QUOTAS.anonymous);
      const { remaining } = await limiter.take('127.0.0.1', 0);
      await limiter.take('127.0.0.1', remaining - until);
    };
    await spend(2);
    const raw = `{${'x'.repeat(130 * KIB)}`;
    const rest = await service().rest('POST', '/v1/posts', { raw, headers: JSON_TYPE });
    expect([rest.status, rest.headers.get('retry-after')]).toStrictEqual([429, '60']);
    service().at(1_800_000_100_000);
    await spend(2);
    const answer = await graphql(raw);
    expect([answer.status, answer.headers.get('retry-after')]).toStrictEqual([429, '60']);
    expect(answer.body.errors[0].extensions.code).toBe('TOO_MANY_REQUESTS');
  });

  it('has a point for every 200 words and signs of a document that is not known', async () => {
    service().limit();
    const fields = 'id title slug excerpt url '.repeat(40);
    const document = (name: string) => `query ${name} { posts(first: 1) { nodes { ${fields} } } }`;
    const ask = (query: string) => () => service().graphql(query);
    expect(await points(ask(document('One'))), 'of 217').toBe(2);
    expect(await points(ask(document('One'))), 'that came before').toBe(1);
    const literals = `{ posts(filter: { ids: [${'1 '.repeat(1_900)}] }) { totalCount } }`;
    expect(await points(ask(literals)), 'of 1,915').toBe(10);
    expect(await points(ask(literals)), 'with many values, that came before').toBe(4);
    expect(await points(ask(`{ posts { nodes { ${'nonsense '.repeat(40)} } } }`))).toBe(1);
    const mistakes = `{ ${Array.from({ length: 900 }, (_, i) => `nonsense${i}`).join(' ')} }`;
    expect(await points(ask(mistakes)), 'that is refused').toBe(5);
    expect(await points(ask(mistakes)), 'again').toBe(5);
  });

  it('has them also for a document that ends in a mistake of syntax, up to the mistake', async () => {
    service().limit();
    const many = `{ viewer { ${'a '.repeat(3_000)} } }`;
    expect(await points(() => service().graphql(many)), 'more than are read').toBe(11);
    expect(await points(() => service().graphql('{ viewer { id '))).toBe(1);
  });

  it('has a point for every 1,024 characters that something is asked by, on both faces', async () => {
    service().limit();
    const get = (path: string) => () => service().rest('GET', path);
    const slugs = (count: number) => Array.from({ length: count }, (_, i) => `slug-${i}`);
    expect(await points(get(`/v1/posts?slug=${slugs(100)}`)), 'of 896').toBe(1);
    for (const name of ['slug', 'include', 'exclude', 'author', 'categories', '_fields', '_embed'])
      expect(await points(get(`/v1/posts?${name}=${'1,'.repeat(3_700)}`)), name).toBe(8);
    expect(await points(get(`/v1/posts?orderby=${'a'.repeat(8_000)}`)), 'refused').toBe(8);
    const raw = JSON.stringify({ include: Array(4_000).fill(1) });
    const body = { raw, headers: JSON_TYPE };
    expect(await points(getting('/api/v1/posts', raw)), 'in a body').toBe(8);
    expect(
      await points(() => service().rest('POST', '/v1/posts?_method=GET', body)),
      'of a POST that stands for GET',
    ).toBe(8);
    const query = 'query($v: [ID!]!) { nodes(ids: $v) { id } }';
    const nodes = (v: string[]) => () => service().graphql(query, { v });
    expect(await points(nodes(['x']))).toBe(1);
    expect(await points(nodes(slugs(1_000)))).toBe(12);
  });

  it('has them for the variables of a subscription, by event stream and by WebSocket', async () => {
    service().limit();
    const limiter = service().limits.limiter(QUOTAS.anonymous);
    const remaining = async () => (await limiter.take('127.0.0.1', 0)).remaining;
    const query = 'subscription($id: ID!) { pollResults(id: $id) { id } }';
    const byStream = async (id: string) => {
      const headers = { accept: 'text/event-stream' };
      await service().graphql(query, { id }, { headers });
    };
    const bySocket = async (id: string) => {
      const url = `${service().url.replace('http', 'ws')}/graphql`;
      const client = createClient({ url, webSocketImpl: WebSocket, retryAttempts: 0 });
      await new Promise<void>((end) => {
        const sink = { next: () => {}, error: () => end(), complete: end };
        client.subscribe({ query, variables: { id } }, sink);
      });
      await client.dispose();
    };
    for (const subscribe of [byStream, bySocket]) {
      const costs = [];
      for (const id of ['1', '1'.repeat(5 * KIB)]) {
        const before = await remaining();
        await subscribe(id);
        costs.push(before - (await remaining()));
      }
      const [short = 0, long = 0] = costs;
      expect(long - short, subscribe.name).toBe(5);
    }
  });

  it('has one for a connection, and every 250 messages over it, 64 KiB and 1,000 names of them', async () => {
    service().limit();
    const spoken = (messages: readonly string[]) => async () => {
      const url = `${service().url.replace('http', 'ws')}/graphql`;
      const socket = new WebSocket(url, 'graphql-transport-ws');
      const [init, last] = ['{"type":"connection_init"}', '{"type":"ping","payload":{"last":1}}'];
      const closed = new Promise<number>((end) => socket.once('close', end));
      socket
        .on('open', () => socket.send(init))
        .on('message', (data) => {
          if (String(data).includes('connection_ack'))
            for (const message of [...messages, last]) socket.send(message);
          else if (String(data).includes('"last"')) socket.close(1000);
        });
      const code = await closed;
      return Object.assign(await service().rest('GET', '/v1/none'), { code });
    };
    expect(await points(spoken([])), 'with the look at what is left').toBe(2);
    expect(await points(spoken(Array(1_000).fill('{"type":"ping"}')))).toBe(2 + 4);
    const long = JSON.stringify({ type: 'ping', payload: { a: 'x'.repeat(60 * KIB) } });
    expect(await points(spoken(Array(20).fill(long)))).toBe(2 + 18);
    const names = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [i.toString(36), 1]));
    const many = JSON.stringify({ type: 'ping', payload: names });
    expect(await points(spoken([many])), 'for 1,000 names').toBe(2 + 5);
    await service().limits.limiter(QUOTAS.anonymous).take('127.0.0.1', 900);
    const unanswered = JSON.stringify({ type: 'complete', id: 'x'.repeat(60 * KIB) });
    const { code, headers } = await spoken(Array(200).fill(unanswered))();
    expect([code, left({ headers })], 'of more than the quota covers').toStrictEqual([1013, 0]);
    expect((await spoken([])()).code, 'when it is spent').toBe(1013);
  });

  it('has them for each request of a batch', async () => {
    service().limit();
    const path = `/v1/posts/1?_fields=${'a,'.repeat(2_050)}`;
    const requests = [
      { method: 'DELETE', path },
      { method: 'DELETE', path: '/v1/posts/1' },
    ];
    const batch = () => service().rest('POST', '/batch/v1', { body: { requests } });
    expect(await points(batch)).toBe(24);
  });

  it('has a point for every 50 rows with embeds, and for every 25 that are shown for editing', async () => {
    service().limit();
    const list = (query: string, as: Caller = 'anonymous') => {
      return () => service().rest('GET', `/v1/posts?${query}`, { as });
    };
    expect(await points(list('per_page=100&_embed'))).toBe(3);
    expect(await points(list('per_page=100&_embed&context=edit', 'editor'), 'editor')).toBe(5);
    expect(await points(list('per_page=100&context=edit', 'editor'), 'editor')).toBe(1);
    expect(await points(list('per_page=100'))).toBe(1);
    expect(await points(list('_embed'))).toBe(1);
  });

  it('has a point for every 256 KiB of an answer, 150 events and 10 reminders, on both faces', async () => {
    const hourly = { frequencyType: 'FREQ=HOURLY', startDate: '2027-01-01T00:00:00' };
    for (let i = 0; i < 5; i++) await makeMedicine(service(), { name: `Medicine ${i}`, ...hourly });
    service().limit();
    const ask = (query: string) => () => service().graphql(query, {}, { as: 'subscriber' });
    const reminders = '{ medicineReminders { nodes { id } } }';
    expect(await points(ask(reminders), 'subscriber'), 'five').toBe(1);
    const calendar = '{ calendar(from: "2027-01-02", to: "2027-01-21") { __typename } }';
    expect(await points(ask(calendar), 'subscriber'), '2,400 events').toBe(17);
    const adherence = '{ adherence(from: "2027-01-01", to: "2027-01-14") { __typename } }';
    expect(await points(ask(adherence), 'subscriber'), '2,000 and less').toBe(1);
    const content = 'x'.repeat(600 * KIB);
    const { id: post } = await service().post({ content });
    const get = () => service().rest('GET', `/v1/posts/${post}`);
    const whole = await get();
    const before = left(await service().rest('GET', '/v1/none'));
    const short = before - left(await service().rest('GET', `/v1/posts/${post}?_fields=id`));
    expect(await points(get), 'of REST').toBe(short + Math.floor(whole.text.length / (256 * KIB)));
  });

  it('has one for 10 reminders that are planned anew or exported', async () => {
    const hourly = { frequencyType: '1 tablet every hour', startDate: '2027-01-01T00:00:00' };
    for (let i = 0; i < 30; i++) await makeMedicine(service(), { ...hourly, name: `${i}` });
    const as = { headers: await service().session('subscriber') };
    const ask = (query: string) => service().graphql(query, {}, as);
    service().limit();
    const zone =
      'mutation { updateCareSettings(input: { timeZone: "Asia/Tokyo" }) { __typename } }';
    expect(await points(() => ask(zone), 'subscriber'), 'a change and 30').toBe(10 + 3);
    const data = 'mutation { exportMyData { __typename } }';
    expect(await points(() => ask(data), 'subscriber'), 'an export of 30').toBe(10 + 3);
  });

  it('is paid for events that were made in vain, and for those that a home shows', async () => {
    for (let i = 0; i < 5; i++)
      await makeMedicine(service(), {
        name: `${i}`,
        frequencyType: 'FREQ=HOURLY',
        startDate: '2026-01-01T00:00:00',
      });
    service().limit();
    const ask = (query: string) => () => service().graphql(query, {}, { as: 'subscriber' });
    const calendar = '{ calendar(from: "2026-02-01", to: "2026-06-30") { __typename } }';
    expect(await points(ask(calendar), 'subscriber'), '5,000 of more').toBe(3);
    const doses = '{ memberHome { timeZone } }';
    expect(await points(ask(doses), 'subscriber'), '840 of a week, 120 of a day').toBe(2);
  });

  it('has a point for every 2,000 doses that a stock of a year is counted by', async () => {
    const hours = { frequencyType: '1 tablet every 6 hours', startDate: '2027-01-15T00:00:00' };
    for (let i = 0; i < 5; i++) {
      const id = await makeMedicine(service(), { ...hours, name: `${i}` });
      const input = `{ id: "${id}", amount: 9000, unit: "tablet" }`;
      const mutation = `mutation { setMedicineStock(input: ${input}) { __typename } }`;
      await service().data(mutation, {}, 'subscriber');
    }
    service().limit();
    const query = '{ medicineReminders { nodes { stock { runsOutOn outlook } } } }';
    const ask = () => service().graphql(query, {}, { as: 'subscriber' });
    expect(await points(ask, 'subscriber'), 'five of 1,464, shown').toBe(1 + 4);
  });

  it('has four points more for a report about all members, and one for 120 cells of it', async () => {
    service().limit();
    const get = (path: string) => () => service().rest('GET', path, { as: 'analyst' });
    expect(await points(get('/v1/report/chart'), 'analyst')).toBe(5);
    expect(await points(get('/v1/report/statistics'), 'analyst')).toBe(5);
    const own = () => service().rest('GET', '/v1/report/chart', { as: 'subscriber' });
    expect(await points(own, 'subscriber'), 'about oneself').toBe(1);
    const span = 'from: "2026-12-01", to: "2026-12-30"';
    const query = `{ doseReport(${span}) { rows { day medicineType scheduled } } }`;
    const ask = () => service().graphql(query, {}, { as: 'analyst' });
    const without = await points(ask, 'analyst');
    await service().database.prisma.$executeRaw`
      INSERT INTO report_cell (subject, grid, date, keys, accounts, eligible, sums, tops)
      SELECT 'dose', 'day medicineType', '2026-12-01'::date + d, ARRAY['type ' || h], 50, 50, '{}', '{}'
      FROM generate_series(0, 29) d, generate_series(1, 24) h`;
    expect((await points(ask, 'analyst')) - without, '720 cells').toBe(6);
    // Of the types beside the first ones the accounts are counted anew.
    const people = query
      .replace(span, `${span}, top: { by: MEMBERS, count: 20, of: MEDICINE_TYPE }`)
      .replace('scheduled', 'members');
    const count = () => service().graphql(people, {}, { as: 'analyst' });
    expect((await points(count, 'analyst')) - without, '720 cells of people').toBe(14);
  });

  it('of a report tells no more of the cells that are hidden than the report does', async () => {
    service().limit();
    const query = `{ doseReport(from: "2026-12-01", to: "2026-12-30") {
      suppressed rows { day medicineType taken } } }`;
    const hide = (cells: number) => service().database.prisma.$executeRaw`
      INSERT INTO report_cell (subject, grid, date, keys, accounts, eligible, sums, tops)
      SELECT 'dose', 'day medicineType', '2026-12-01', ARRAY['type ' || gen_random_uuid()], 1, 1, '{}', '{}'
      FROM generate_series(1, ${cells}::int)`;
    const ask = async () => (await service().graphql(query, {}, { as: 'analyst' })).body;
    const prices = new Map<number, Set<number>>();
    await hide(109);
    await ask(); // a document that is not known costs more
    for (let hidden = 110; hidden <= 129; hidden++) {
      await hide(1);
      const { data, extensions } = await ask();
      const { suppressed } = data.doseReport;
      prices.set(suppressed, (prices.get(suppressed) ?? new Set()).add(extensions.cost.asked));
    }
    expect(prices.size).toBeGreaterThanOrEqual(2);
    for (const [suppressed, asked] of prices)
      expect([suppressed, asked.size]).toStrictEqual([suppressed, 1]);
  });

  it('of the reports of a document is paid one by one, and what is not paid for is not read', async () => {
    service().limit();
    const report = `doseReport(from: "2026-12-01", to: "2026-12-30") {
      rows { day medicineType taken } }`;
    const query = `{ ${['a', 'b', 'c', 'd', 'e'].map((name) => `${name}: ${report}`).join(' ')} }`;
    const ask = async () => (await service().graphql(query, {}, { as: 'analyst' })).body;
    await ask(); // a document that is not known costs more
    const { asked, left } = (await ask()).extensions.cost;
    await service().database.prisma.$executeRaw`
      INSERT INTO report_cell (subject, grid, date, keys, accounts, eligible, sums, tops)
      SELECT 'dose', 'day medicineType', '2026-12-01'::date + d, ARRAY['type ' || h], 50, 50, '{}', '{}'
      FROM generate_series(0, 29) d, generate_series(1, 40) h`;
    const { id } = await service().account('analyst');
    const account = service().limits.limiter(QUOTAS.account);
    // The cells of a report are worth ten points: one is paid, and one is owed.
    await account.take(String(id), left - asked - 15);
    const { errors } = await ask();
    expect(errors.map((error: Answer['body']) => error.extensions.code)).toStrictEqual(
      Array(3).fill('TOO_MANY_REQUESTS'),
    );
  });

  it('of a feed is paid by the feed, and of what is none by the address', async () => {
    for (let i = 0; i < 5; i++)
      await makeMedicine(service(), {
        name: `${i}`,
        frequencyType: 'FREQ=HOURLY',
        startDate: '2027-01-10T00:00:00',
      });
    const create = 'mutation { createCalendarFeed(input: {}) { calendarFeed { url } } }';
    const made = await service().graphql(
      create,
      {},
      { headers: await service().session('subscriber') },
    );
    const { pathname } = new URL(made.body.data.createCalendarFeed.calendarFeed.url);
    service().limit();
    const read = (path: string) => service().fetch(path, { method: 'GET' });
    const unknown = await points(() => read(`/calendar/${'A'.repeat(43)}.ics`));
    expect(unknown, 'which pages do not tell').toBeNaN();
    const limiter = service().limits.limiter(QUOTAS.anonymous);
    const { remaining } = await limiter.take('127.0.0.1', 0);
    const answers = [];
    for (let i = 0; i < 12; i++) answers.push(await read(pathname));
    expect(answers.filter(({ status }) => status === 200).length, '4,020 events').toBe(10);
    const [first = 0, second = 0] = answers.map(left);
    expect(first - second, 'of which a feed tells').toBe(30);
    const refused = await read(pathname);
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toStrictEqual([
      429,
      true,
    ]);
    expect((await limiter.take('127.0.0.1', 0)).remaining).toBe(remaining);
    const account = service().limits.limiter(QUOTAS.account);
    const { id } = await service().account('subscriber');
    expect((await account.take(String(id), 0)).remaining, 'of the member').toBe(10_000);
  });

  it('of a document is not paid on credit', async () => {
    service().limit();
    const limiter = service().limits.limiter(QUOTAS.anonymous);
    await limiter.take('127.0.0.1', 998);
    const { status, body, headers } = await service().graphql(
      `{ ${'viewer { id } '.repeat(150)} }`,
    );
    expect([status, headers.get('retry-after')]).toStrictEqual([429, '60']);
    expect(body.errors[0].extensions.code).toBe('TOO_MANY_REQUESTS');
  });
});

describe('A multipart body', () => {
  const service = useService();
  const send = (parts: string[], as?: Caller) =>
    service().rest('POST', '/v1/posts', {
      ...(as && { as }),
      raw: `${parts.join('')}--x--\r\n`,
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    });
  const part = (headers: string, value: string) =>
    `--x\r\nContent-Disposition: form-data; ${headers}\r\n\r\n${value}\r\n`;

  it('is read up to its bound, and not behind it', async () => {
    const many = Array.from({ length: 30_000 }, (_, i) => part(`name="p${i}"`, '1'));
    const { status, body } = await send(many);
    expect([status, Object.keys(body.data.params)]).toStrictEqual([400, ['p1000']]);
    const large = part('name="title"', 'x'.repeat(1_100_000));
    expect((await send([...many.slice(0, 5_000), large])).status, 'nothing behind').toBe(400);
  });

  it('may have parts without a name, which are not read', async () => {
    for (const nameless of [part('name=""', '1'), part('x="a"', '1')]) {
      const { status, body } = await send([nameless, part('name="title"', 'x')], 'editor');
      expect([status, body.title?.raw]).toStrictEqual([201, 'x']);
    }
  });

  it('may have 2,000 parts at most, files among them, which are not read', async () => {
    const file = part('name="a"; filename="b"', 'c');
    const title = part('name="title"', 'behind the files');
    const made = await send([...Array(1_999).fill(file), title], 'editor');
    expect([made.status, made.body.title?.raw]).toStrictEqual([201, 'behind the files']);
    const { status, body } = await send([...Array(2_000).fill(file), title], 'editor');
    expect([status, body.code]).toStrictEqual([413, 'rest_request_too_large']);
    expect(body.message).toBe('A form may have 2,000 parts at most.');
  });
});
