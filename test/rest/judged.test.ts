import { join } from 'node:path';
import { projectRoot } from '../../src/platform/root.js';
import { dialectOf } from '../../src/rest/dialect.js';
import { loadOperations } from '../../src/rest/operation/loading.js';
import { type Answer, type Sending, useService } from '../support/harness.js';

/** What a 400 says is wrong: the parameters, in order, with the code of each. */
function wrong({ status, body }: Pick<Answer, 'status' | 'body'>): Record<string, string> {
  expect([status, body?.code], JSON.stringify(body)).toStrictEqual([400, 'rest_invalid_param']);
  const { params, details } = body.data;
  const names = Object.keys(params);
  expect(body.message).toBe(`Invalid parameter(s): ${names.join(', ')}`);
  expect(Object.keys(details)).toStrictEqual(names);
  const codes = names.map((name) => {
    expect(details[name].message).toBe(params[name]);
    expect(Object.keys(details[name]).sort()).toStrictEqual(['code', 'data', 'message']);
    return [name, details[name].code];
  });
  return Object.fromEntries(codes);
}

const LONG = 'x'.repeat(70_000);

/** Reasons that name a parameter, and can be told from what was sent alone. */
const JUDGED = [
  'DATE_INVALID',
  'EMAIL_REQUIRED',
  'LANGUAGE_UNKNOWN',
  'PASSWORD_INVALID',
  'PUSH_TOKEN_INVALID',
  'REMIND_BEFORE_INVALID',
  'SEND_AT_INVALID',
  'TEMPLATE_UNKNOWN',
  'TITLE_REQUIRED',
  'TOO_MANY',
];

describe('All mistakes of a request are told at once, before anything runs', () => {
  const service = useService();
  const post = (path: string, body: object, sending: Sending = {}) =>
    service().rest('POST', path, { body, ...sending });
  const total = async () =>
    (await service().rest('GET', '/v1/posts', { as: 'editor', query: 'status=any' })).body.length;

  it('of types, bounds and templates alike, in the order of the parameters', async () => {
    const body = {
      template: 'x',
      password: 'a\0b',
      title: LONG,
      status: 'nonsense',
      slug: LONG,
      tags: ['x'],
    };
    const expected = {
      slug: 'rest_invalid_param',
      status: 'rest_not_in_enum',
      password: 'rest_invalid_param',
      title: 'rest_invalid_param',
      template: 'rest_invalid_param',
      tags: 'rest_invalid_type',
    };
    for (const as of ['editor', 'anonymous'] as const) {
      const found = wrong(await post('/v1/posts', body, { as }));
      expect(Object.entries(found)).toStrictEqual(Object.entries(expected));
    }
    const { id } = await service().posted();
    for (const path of [`/v1/posts/${id}`, `/v1/posts/${id}/autosaves`])
      expect(wrong(await post(path, body, { as: 'editor' }))).toStrictEqual(expected);
  });

  it('by every operation whose field declares such a reason', () => {
    const { wholeSchema: schema } = service().app;
    const missing: string[] = [];
    const folder = join(projectRoot, 'schema/operations');
    for (const { name, rootField, isQuery, judge } of loadOperations(
      folder,
      dialectOf(schema),
    ).values()) {
      const root = isQuery ? schema.getQueryType() : schema.getMutationType();
      const reasons =
        root?.getFields()[rootField.name.value]?.description?.match(/\b[A-Z]+(?:_[A-Z]+)+\b/g) ??
        [];
      // A list that is too long is refused alone, with a code of its own.
      const judged = (reason: string) =>
        JUDGED.includes(reason) && !(isQuery && reason === 'TOO_MANY');
      if (reasons.some(judged) && !judge) missing.push(name);
    }
    expect(missing).toStrictEqual([]);
  });

  it('as a form, too', async () => {
    const raw = new URLSearchParams({ title: LONG, template: 'x', sticky: 'perhaps' }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const found = wrong(await service().rest('POST', '/v1/posts', { as: 'editor', raw, headers }));
    expect(Object.keys(found)).toStrictEqual(['title', 'sticky', 'template']);
  });

  it('in two stages for collections', async () => {
    const list = async (query: string) =>
      Object.keys(wrong(await service().rest('GET', '/v1/posts', { query })));
    expect(
      await list(`per_page=0&search=${'x'.repeat(1001)}&order=up&slug=${'x'.repeat(4001)}`),
    ).toStrictEqual(['per_page', 'search']);
    expect(await list(`order=up&slug=${'x'.repeat(4001)}&status=draft`)).toStrictEqual([
      'order',
      'slug',
      'status',
    ]);
  });

  it('names the element of a list that does not fit', async () => {
    const { body } = await service().rest('GET', '/v1/posts', {
      query: `slug[]=a&slug[]=${'x'.repeat(4001)}`,
    });
    expect(body.data.params.slug).toMatch(/^slug\[1\] must be a text of at most 4,000 bytes/);
  });

  it('of a template tells only who may edit the item that it has it', async () => {
    const { id } = await service().posted({ status: 'draft' });
    await service().database.prisma.contentItem.update({
      where: { id },
      data: { template: 'wide.php' },
    });
    for (const as of ['anonymous', 'subscriber', 'contributor'] as const)
      for (const template of ['wide.php', 'other.php'])
        for (const path of [`/v1/posts/${id}`, `/v1/posts/${id}/autosaves`])
          wrong(await post(path, { template }, { as }));
    expect((await post(`/v1/posts/${id}`, { template: 'wide.php' }, { as: 'editor' })).status).toBe(
      200,
    );
  });

  for (const [what, body] of Object.entries({
    'an unknown template': { template: 'x' },
    'a title that is too long': { title: LONG },
    'a NUL in a text': { content: 'a\0b' },
    'footnotes that are too long': { meta: { footnotes: LONG } },
  })) {
    it(`so a batch that requires all to be valid executes nothing for ${what}`, async () => {
      const requests = [
        { path: '/v1/posts', body: { title: 'Fits' } },
        { path: '/v1/posts', body: { title: 'Not', ...body } },
      ];
      const answer = await post(
        '/batch/v1',
        { requests, validation: 'require-all-validate' },
        { as: 'editor' },
      );
      expect([answer.status, answer.body.failed, answer.body.responses[0]]).toStrictEqual([
        207,
        'validation',
        null,
      ]);
      wrong(answer.body.responses[1]);
      expect(await total()).toBe(0);
    });
  }

  it('of a medicine and an appointment', async () => {
    const as = 'subscriber';
    const medicine = { start_date: 'soon', end_date: 'later', user_id: 'me', name: LONG };
    const expected = ['name', 'user_id'];
    expect(Object.keys(wrong(await post('/v1/medicine_reminder', medicine, { as })))).toStrictEqual(
      expected,
    );
    const order = { start_date: '2026-03-02', end_date: '2026-03-01', created_date: LONG };
    const orders = { end_date: 'rest_end_before_start', created_date: 'rest_invalid_param' };
    expect(wrong(await post('/v1/medicine_reminder', order, { as }))).toStrictEqual(orders);
    expect(wrong(await post('/v1/event/medicine', order, { as, edition: 'B' }))).toStrictEqual(
      orders,
    );
    const appointment = { title: LONG, date_time: 'soon', remind_before: 'early' };
    const all = {
      title: 'rest_invalid_param',
    };
    expect(wrong(await post('/v1/appointment_reminder', appointment, { as }))).toStrictEqual(all);
    const { body } = await post(
      '/v1/medicine_reminder',
      { name: 'A', start_date: '2026-03-02' },
      { as },
    );
    const update = await post(`/v1/medicine_reminder/${body.id}`, medicine, { as, edition: 'B' });
    expect(Object.keys(wrong(update))).toStrictEqual(['name']);
  });

  it('leaves what depends on where the member is to the member', async () => {
    const sent = { name: 'A', start_date: '2026-03-01T23:30:00-05:00', end_date: '2026-03-01' };
    const headers = { 'time-zone': 'America/New_York' };
    expect((await post('/v1/medicine_reminder', sent, { as: 'subscriber', headers })).status).toBe(
      201,
    );
  });

  it('of a range of days', async () => {
    const answer = await service().rest('GET', '/v1/events', {
      as: 'subscriber',
      query: 'date_from=a&date_to=b',
    });
    expect(wrong(answer)).toStrictEqual({
      date_from: 'rest_invalid_date',
      date_to: 'rest_invalid_date',
    });
  });

  it('of who signs up, and makes nobody', async () => {
    const answer = await post('/v1/signup', { name: LONG, password: 'short', language: 999 });
    const expected = {
      name: 'rest_invalid_param',
      email: 'email_required',
      password: 'password_invalid',
      language: 'language_unknown',
    };
    expect(wrong(answer)).toStrictEqual(expected);
    const accounts = await service().database.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM account',
    );
    expect(accounts[0]?.count).toBe(0);
    expect(wrong(await post('/v1/guest', { language: 999 }, { edition: 'B' }))).toStrictEqual({
      language: 'language_unknown',
    });
  });

  it('of a message', async () => {
    const body = {
      title: ' ',
      body: LONG,
      send_at: 'soon',
      user_ids: Array.from({ length: 1001 }, (_, i) => i + 1),
    };
    const expected = {
      title: 'rest_missing_callback_param',
      body: 'rest_invalid_param',
      user_ids: 'rest_too_many_items',
      send_at: 'rest_invalid_date',
    };
    expect(wrong(await post('/v1/notify', body, { as: 'subscriber' }))).toStrictEqual(expected);
  });
});
