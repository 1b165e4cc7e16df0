import * as fc from 'fast-check';
import { exportSubmissions } from '../../src/domains/forms/submission-privacy.service.js';
import { tendSubmissions } from '../../src/domains/forms/submission-tending.service.js';
import { Keys } from '../../src/platform/keys.js';
import { type Caller, errorCode, mutation, useService } from '../support/harness.js';

import { PLAUSIBLE } from './payloads.js';

const service = useService();
const B = { edition: 'B' } as const;
const DAY = 24 * 60 * 60 * 1000;

let form: number;
const makeForm = async (fields: object = {}): Promise<number> =>
  (
    await service().data(
      mutation('createForm', 'form { databaseId }'),
      { input: { name: 'Wellbeing', scoreLeast: 0, scoreMost: 27, ...fields } },
      'administrator',
    )
  ).createForm.form.databaseId;
beforeEach(async () => {
  form = await makeForm();
});

const FIELDS = {
  name: 'Ada Berg',
  email: 'ada@example.com',
  phone: '030 901820',
  platform: 'iOS',
  score: '12.5',
};
const send = (fields: object = {}, as: Caller = 'anonymous', headers = {}) =>
  service().rest('POST', '/v1/ncsm', { ...B, as, headers, body: { ...FIELDS, form, ...fields } });
/** What GraphQL's `submitForm`, which is strict, says of fields: `taken`, or the reason. */
const wrong = async (fields: object): Promise<string> => {
  const { form: formId = form, ...others } = { ...FIELDS, score: 12.5, ...fields } as {
    form?: number;
  };
  const query = mutation('submitForm', 'receivedAt');
  const body = await service().ask(query, { input: { ...others, formId } }, { as: 'anonymous' });
  return errorCode(body) ?? 'taken';
};
const SUBMISSIONS =
  '{ formSubmissions { totalCount nodes { databaseId name email phone phoneE164 platform score form { name } } } }';

const AS_SENT = '{ formSubmissions { nodes { asSent { field text } } } }';

describe('POST /v1/ncsm', () => {
  it('takes what is sent, and answers its id and when it came', async () => {
    service().at('2026-03-10T08:00:00Z');
    const { status, body } = await send();
    expect(status).toBe(201);
    expect(body).toStrictEqual({ id: 1, received_at: '2026-03-10T08:00:00.000Z' });
    const { formSubmissions } = await service().data(SUBMISSIONS, {}, 'clinician');
    expect(formSubmissions).toStrictEqual({
      totalCount: 1,
      nodes: [
        {
          databaseId: 1,
          name: 'Ada Berg',
          email: 'ada@example.com',
          phone: '030 901820',
          phoneE164: null,
          platform: 'ios',
          score: 12.5,
          form: { name: 'Wellbeing' },
        },
      ],
    });
  });

  it('names every parameter that is missing or does not fit at once', async () => {
    const none = await service().rest('POST', '/v1/ncsm', { ...B, body: {} });
    expect([none.status, none.body.code, none.body.data.params.sort()]).toStrictEqual([
      400,
      'rest_missing_callback_param',
      ['email', 'form', 'name', 'phone', 'platform', 'score'],
    ]);
    expect(await service().database.prisma.formSubmission.count()).toBe(0);
  });

  it('reads telephone numbers in any national form, and keeps them as typed', async () => {
    const known: Record<string, string> = {
      '+49 (0)30 901820': '+4930901820',
      '0049 30 901820': '+4930901820',
      '+1 212-736-5000': '+12127365000',
      '+٤٩٣٠٩٠١٨٢٠': '+4930901820',
      '+44 20 7946 0958': '+442079460958',
    };
    const national = [
      '030 901820',
      '(212) 736-5000',
      '020 7946 0958',
      '06 12 34 56 78',
      '98765 43210',
    ];
    for (const phone of [...Object.keys(known), ...national])
      expect([phone, (await send({ phone })).status]).toStrictEqual([phone, 201]);
    const { formSubmissions } = await service().data(SUBMISSIONS, {}, 'administrator');
    for (const { phone, phoneE164 } of formSubmissions.nodes)
      expect([phone, phoneE164]).toStrictEqual([phone, known[phone] ?? null]);
  });

  it('reads a number of a country by that country', async () => {
    await send({ phone: '030 901820', country: 'de' });
    const { formSubmissions } = await service().data(SUBMISSIONS, {}, 'clinician');
    expect(formSubmissions.nodes[0].phoneE164).toBe('+4930901820');
  });

  it('keeps a country that is none, and what was sent with it', async () => {
    const odd = ['Germany', 'deu', '+49', 'null', 'undefined', '\u{1f1e9}\u{1f1ea}', 49, true];
    const empty = ['', ' ', null];
    for (const [i, country] of [...odd, ...empty, [], ['DE'], { code: 'DE' }].entries()) {
      const { status, text } = await send({ country, name: `n${i}`, phone: '030 901820' });
      expect([country, status, text]).toStrictEqual([country, 201, text]);
      const { formSubmissions } = await service().data(AS_SENT, {}, 'clinician');
      const sent = typeof country === 'string' ? country : JSON.stringify(country);
      const asSent = formSubmissions.nodes[0].asSent.filter(
        ({ field }: { field: string }) => field === 'country',
      );
      expect(asSent).toStrictEqual(
        empty.includes(country as string) ? [] : [{ field: 'country', text: sent }],
      );
    }
  });

  it('reads scores as numbers or texts', async () => {
    const scores = { 0: 0, '27.00': 27, 12.25: 12.25, '12,5': 12.5, ' 7 ': 7 };
    for (const [score, value] of Object.entries(scores)) {
      await send({ score });
      const { formSubmissions } = await service().data(SUBMISSIONS, {}, 'administrator');
      expect(formSubmissions.nodes[0].score, score).toBe(value);
    }
  });

  it('loses nothing of what apps may send: 500 payloads', async () => {
    const payloads = Object.entries(PLAUSIBLE).flatMap(([field, values]) =>
      values.map((value, i) => {
        const own = `${field} ${i}`;
        const others = field === 'name' ? { phone: own } : { name: own };
        return { ...FIELDS, form, ...others, [field]: value };
      }),
    );
    expect(payloads.length).toBeGreaterThanOrEqual(500);
    for (const payload of payloads) {
      const { status, body } = await service().rest('POST', '/v1/ncsm', { ...B, body: payload });
      expect(status, JSON.stringify(payload)).toBe(201);
      const query = `{ formSubmissions(first: 1) { nodes { databaseId name email phone platform score form { databaseId } marks asSent { field text } } } }`;
      const { formSubmissions } = await service().data(query, {}, 'clinician');
      const [node] = formSubmissions.nodes;
      expect(node.databaseId).toBe(body.id);
      const sent = Object.fromEntries(
        node.asSent.map(({ field, text }: { field: string; text: string }) => [field, text]),
      );
      const shown = { ...node, form: node.form?.databaseId };
      for (const [field, value] of Object.entries(payload)) {
        const text = typeof value === 'string' ? value : JSON.stringify(value);
        expect(sent[field] ?? String(shown[field]), `${field}: ${text}`).toBe(text);
      }
    }
  });

  it('marks what was not understood for staff, and files it without a form', async () => {
    await send({ score: '5/10', platform: 'toaster', form: 'nothing', phone: 'n/a', email: 'ada' });
    await send();
    const query = `{ formSubmissions(filter: { marked: true }) { totalCount nodes { marks form { name } } } }`;
    const { formSubmissions } = await service().data(query, {}, 'clinician');
    expect(formSubmissions).toStrictEqual({
      totalCount: 1,
      nodes: [{ marks: ['form', 'email', 'phone', 'platform', 'score'], form: null }],
    });
  });

  it('finds a form by its number or its name, without regard to case', async () => {
    for (const name of [form, String(form), ' wellbeing ', 'WELLBEING']) {
      await send({ form: name, score: `${Math.random() * 20}`.slice(0, 4) });
      const { formSubmissions } = await service().data(SUBMISSIONS, {}, 'clinician');
      expect(formSubmissions.nodes[0].form, `${name}`).toStrictEqual({ name: 'Wellbeing' });
    }
  });

  it('takes the same within ten minutes for a retry', async () => {
    service().at('2026-03-10T08:00:00Z');
    const first = await send();
    const again = await Promise.all([send(), send()]);
    for (const { status, body } of again) expect([status, body]).toStrictEqual([201, first.body]);
    expect((await send({ score: 3 })).body.id).not.toBe(first.body.id);
    expect((await send({ country: 'AT' })).body.id, 'of another country').not.toBe(first.body.id);
    expect((await send({}, 'subscriber')).body.id).not.toBe(first.body.id);
    service().at('2026-03-10T08:10:01Z');
    expect((await send()).body.id).not.toBe(first.body.id);
  });

  it('is limited to ten an hour from an address', async () => {
    service().limit();
    for (let i = 0; i < 10; i++) expect((await send({ score: i })).status).toBe(201);
    const { status, body, headers } = await send();
    expect([status, body.code]).toStrictEqual([429, 'too_many_requests']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(3000);
  });

  it('takes retries also when the limit is reached', async () => {
    service().limit();
    const first = await send({ score: 0 });
    for (let i = 1; i < 10; i++) await send({ score: i });
    const again = await send({ score: 0 });
    expect([again.status, again.body]).toStrictEqual([201, first.body]);
    expect((await send({ score: 10 })).status).toBe(429);
  });

  it('is limited for each member by themselves, for guests and strangers by their address', async () => {
    service().limit();
    for (let i = 0; i < 10; i++) await send({ score: i });
    expect((await send({ score: 11 }, 'guest')).status).toBe(429);
    for (let i = 0; i < 10; i++) {
      expect((await send({ score: i }, 'subscriber')).status).toBe(201);
      expect((await send({ score: i }, 'contributor')).status).toBe(201);
    }
    expect((await send({ score: 12 }, 'subscriber')).status).toBe(429);
  });

  it('keeps what is sent by a closed form without it', async () => {
    const input = { id: String(form), open: false };
    await service().data(mutation('updateForm', 'form { open }'), { input }, 'administrator');
    await send();
    const { formSubmissions } = await service().data(SUBMISSIONS, {}, 'clinician');
    expect(formSubmissions.nodes[0].form).toBeNull();
  });

  it('does not exist in edition A', async () => {
    expect((await service().rest('POST', '/v1/ncsm', { body: FIELDS })).status).toBe(404);
  });
});

describe('submitForm', () => {
  it('is strict: what does not fit is refused, and names its field', async () => {
    expect(await wrong({})).toBe('taken');
    expect(await wrong({ phone: '12' })).toBe('PHONE_INVALID');
    expect(await wrong({ phone: 'call me' })).toBe('PHONE_INVALID');
    expect(await wrong({ phone: '030 901820', country: 'US' })).toBe('PHONE_INVALID');
    expect(await wrong({ platform: 'toaster' })).toBe('PLATFORM_INVALID');
    expect(await wrong({ score: 27.01 })).toBe('SCORE_INVALID');
    expect(await wrong({ score: -1 })).toBe('SCORE_INVALID');
    expect(await wrong({ form: 4711 })).toBe('FORM_NOT_FOUND');
    await fc.assert(
      fc.asyncProperty(fc.double({ noNaN: true, min: -50, max: 50 }), async (score) => {
        const fits = score >= 0 && score <= 27 && Number(score.toFixed(2)) === score;
        expect((await wrong({ score })) === 'taken').toBe(fits);
      }),
      { numRuns: 40 },
    );
  });
});

describe('What was sent by forms', () => {
  it('stands in the database encrypted, and cannot be moved to another row', async () => {
    await send();
    const { prisma } = service().database;
    const [row] = await prisma.formSubmission.findMany();
    // The time may hold the digits of the score.
    const stored = JSON.stringify({ ...row, receivedAt: undefined });
    expect(stored).not.toMatch(/Ada Berg|example|901820|12\.5/);
    await prisma.formSubmission.updateMany({ data: { receivedAt: new Date(0) } });
    const { formSubmissions } = await service().data(SUBMISSIONS, {}, 'clinician');
    expect(formSubmissions.nodes[0]).toMatchObject({ name: null, email: null, score: null });
  });

  it('is audited when it is read, in lists and by its id', async () => {
    await send();
    await send({ score: 1 });
    const { formSubmissions } = await service().data(
      '{ formSubmissions(first: 1) { nodes { id } } }',
      {},
      'clinician',
    );
    const { id } = formSubmissions.nodes[0];
    const node = async (as: 'clinician' | 'editor') =>
      (await service().data(`{ node(id: "${id}") { id } }`, {}, as)).node;
    expect([await node('clinician'), await node('editor')]).toStrictEqual([{ id }, null]);
    const events = await service().database.prisma.auditEvent.count({
      where: { action: 'form.read' },
    });
    expect(events).toBe(2);
  });

  it('is audited about each member who sent it; anonymous ones by their ids', async () => {
    const { id } = await service().account('subscriber');
    await send({}, 'subscriber');
    await send({ score: 1 }, 'subscriber');
    const anonymous = await send();
    await service().data(SUBMISSIONS, {}, 'clinician');
    const events = async () => {
      const own = '{ viewer { auditEvents { nodes { action actor { name } } } } }';
      return (await service().data(own, {}, 'subscriber')).viewer.auditEvents.nodes;
    };
    const actor = { name: 'The clinician' };
    expect(await events()).toStrictEqual([{ action: 'form.read', actor }]);
    const audit = '{ auditEvents(filter: { action: "form.read" }) { nodes { detail } } }';
    const { auditEvents } = await service().data(audit, {}, 'administrator');
    expect(auditEvents.nodes.map(({ detail }: { detail: unknown }) => detail)).toStrictEqual([
      null,
      { submissions: 3, anonymous: String(anonymous.body.id) },
    ]);
    const [{ id: submission } = { id: 0 }] =
      await service().database.prisma.formSubmission.findMany({
        where: { accountId: id },
      });
    await service().data(
      mutation('deleteFormSubmission', 'submission { databaseId }'),
      { input: { id: submission } },
      'administrator',
    );
    expect((await events()).map(({ action }: { action: string }) => action)).toStrictEqual([
      'form.delete',
      'form.read',
      'form.read',
    ]);
  });

  it('is listed by form and time, in as many statements for one as for fifty', async () => {
    const other = await makeForm({ name: 'Other' });
    await send({ form: other });
    await send();
    const count = async (filter: string) =>
      (
        await service().data(
          `{ formSubmissions(filter: { ${filter} }) { totalCount } }`,
          {},
          'clinician',
        )
      ).formSubmissions.totalCount;
    expect(await count(`formId: "${other}"`)).toBe(1);
    expect(await count('from: "2999-01-01T00:00:00Z"')).toBe(0);
    const list = () =>
      service().data(
        SUBMISSIONS.replace('formSubmissions', 'formSubmissions(first: 100)'),
        {},
        'clinician',
      );
    await list();
    const few = await service().statements(list);
    for (let i = 0; i < 48; i++) await send({ name: `Ada ${i}` });
    expect((await list()).formSubmissions.nodes).toHaveLength(50);
    expect(await service().statements(list)).toBe(few);
  });

  it('is deleted when the retention of its form is over', async () => {
    const short = await makeForm({ retentionDays: 7 });
    service().at('2026-03-10T08:00:00Z');
    await send();
    await send({ form: short });
    const { deps } = service().app;
    service().at(Date.parse('2026-03-10T08:00:00Z') + 7 * DAY);
    expect(await tendSubmissions(deps)).toBe(0);
    service().at(Date.parse('2026-03-10T08:00:01Z') + 7 * DAY);
    expect(await tendSubmissions(deps)).toBe(1);
    expect(await service().database.prisma.formSubmission.count()).toBe(1);
  });

  it('is encrypted with the new key while SECRET_KEY is replaced', async () => {
    await send();
    const [old, next] = ['t'.repeat(40), 'n'.repeat(40)];
    const { deps } = service().app;
    await tendSubmissions({ ...deps, keys: new Keys(next, { previous: old }) });
    const context = await service().context('subscriber');
    const [row] = await service().database.prisma.formSubmission.findMany();
    expect(row?.keyId).toBe(new Keys(next).current('form submission').id);
    await service().database.prisma.formSubmission.updateMany({
      data: { accountId: context.viewer.id },
    });
    Object.assign(context, { deps: { ...deps, keys: new Keys(next) } });
    expect(await exportSubmissions(context, context.viewer.id)).toMatchObject([{ score: 12.5 }]);
  });

  it('joins the export and the erasure of whoever sent it, or has proven its address', async () => {
    await send({ email: 'Subscriber@example.com' });
    await send({ email: 'else@example.com' }, 'subscriber');
    await send();
    const { exportMyData } = await service().data(
      'mutation { exportMyData { export { document } } }',
    );
    expect(
      exportMyData.export.document.formSubmissions.map(({ email }: { email: string }) => email),
    ).toStrictEqual(['Subscriber@example.com', 'else@example.com']);
    await service().account('administrator');
    const headers = await service().session('subscriber');
    const { body } = await service().graphql(
      'mutation { eraseMyAccount(input: {}) { erasedAccountId } }',
      {},
      { headers },
    );
    expect(errorCode(body)).toBeUndefined();
    expect(await service().database.prisma.formSubmission.count()).toBe(1);
  });

  it('of a form whose bounds are the wrong way round cannot be: FORM_BOUNDS_INVALID', async () => {
    const input = { name: 'x', scoreLeast: 5, scoreMost: 4 };
    const body = await service().ask(
      mutation('createForm', 'form { id }'),
      { input },
      'administrator',
    );
    expect(errorCode(body)).toBe('FORM_BOUNDS_INVALID');
  });
});
