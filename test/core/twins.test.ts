import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestContext } from '../../src/core/context.js';
import { transact } from '../../src/core/transact.js';
import { ItemStatus, Taxonomy } from '../../src/domains/content/content.enums.js';
import { updateItem } from '../../src/domains/content/item/item-update.service.js';
import { createMedia } from '../../src/domains/content/media/media.service.js';
import { createTerm } from '../../src/domains/content/term/term.service.js';
import { signInWithProvider } from '../../src/domains/sign-in/provider/provider-sign-in.service.js';
import { errorCode, type RoleName, useService } from '../support/harness.js';
import { type Claims, TestIssuer } from '../support/issuer.js';
import { fill, worldOf } from './access-matrix/world.js';
import { LINES, SESSION_LINES } from './access-matrix.js';

// The embedded database runs one transaction at a time.
const onServer = process.env.TEST_DATABASE_URL ? it : it.skip;

describe('A request beside one that is not yet committed', () => {
  let issuer: TestIssuer;
  beforeAll(async () => {
    issuer = await TestIssuer.start();
  });
  afterAll(() => issuer.stop());
  const service = useService(() => issuer.variables('A'));

  /**
   * Does the first, begins the second while that is not yet committed, and returns what became of
   * the second. A table that is locked makes the second wait where it first reads it.
   */
  const during = async <T>(
    first: (inner: RequestContext) => Promise<unknown>,
    second: () => Promise<T>,
    { as = 'editor', locked = '' }: { as?: 'editor' | 'anonymous'; locked?: string } = {},
  ): Promise<T | string> => {
    let result: Promise<T | string> | undefined;
    await transact(await service().context(as), async (inner) => {
      if (locked) await inner.db.$executeRawUnsafe(`LOCK TABLE ${locked} IN ACCESS EXCLUSIVE MODE`);
      await first(inner);
      result = second().catch((error) => String(error.refusal?.reason ?? error));
      await sleep(300);
    });
    return result as Promise<T | string>;
  };
  const token = (claims: Claims) => issuer.token(claims, service().now());

  for (const claims of [
    { sub: 'twin', email: 'twin@example.com' },
    { sub: 'twin', email: 'twin@example.com', email_verified: true },
    { sub: 'twin' },
  ])
    for (const locked of ['account', ''])
      onServer(
        `signs in to the account that the same identity is making: ${JSON.stringify(claims)}, ${locked || 'nothing'} locked`,
        async () => {
          const input = { provider: 'A', token: await token(claims), language: 1 } as never;
          const query = { token: await token(claims), language: '1' };
          const answer = await during(
            (inner) => signInWithProvider(inner, input),
            () => service().rest('GET', '/v1/idp_a_login', { query }),
            { as: 'anonymous', locked },
          );
          expect(answer).toMatchObject({ status: 200, body: { user: { id: 1 } } });
          expect(await service().database.prisma.account.count()).toBe(1);
        },
      );

  onServer('of a guest signs in to the member whom the same identity makes of it', async () => {
    const { authorization } = await service().session('guest');
    const statuses = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const query = { token: await token({ sub: 'guest' }), language: '1' };
        const headers = { authorization };
        return (await service().rest('GET', '/v1/idp_a_login', { query, headers })).status;
      }),
    );
    expect(statuses).toStrictEqual(Array(6).fill(200));
  });

  const term = (name: string) => ({ taxonomy: Taxonomy.TAG, name });
  const file = (title: string) => ({
    url: 'https://files.example/a.png',
    mimeType: 'image/png',
    title,
  });

  for (const [first, second] of [
    ['Pain', 'Pain 2'],
    ['Pain 2', 'Pain'],
    ['Pain', 'Pain'],
  ] as const) {
    onServer(`makes the term ${second} beside ${first}`, async () => {
      const other = await service().context('editor');
      await createTerm(other, term('Pain'));
      const made = await during(
        (inner) => createTerm(inner, term(first)),
        () => createTerm(other, term(second)),
      );
      expect(made).toHaveProperty('slug', expect.stringMatching(/^pain(-\d)+$/));
    });

    onServer(`makes the medium ${second} beside ${first}`, async () => {
      const other = await service().context('editor');
      await createMedia(other, file('Pain'));
      const made = await during(
        (inner) => createMedia(inner, file(first)),
        () => createMedia(other, file(second)),
      );
      expect(made).toHaveProperty('slug', expect.stringMatching(/^pain(-\d)+$/));
    });

    onServer(`names a post ${second} beside ${first}`, async () => {
      const made: number[] = [];
      for (const title of ['Pain', 'One', 'Two'])
        made.push((await service().post({ title, status: ItemStatus.PUBLISH } as never)).id);
      const other = await service().context('editor');
      const slug = (name: string) => name.toLowerCase().replace(' ', '-');
      const changed = await during(
        (inner) => updateItem(inner, 'post', { id: made[1] as number, slug: slug(first) }),
        () => updateItem(other, 'post', { id: made[2] as number, slug: slug(second) }),
      );
      expect(changed).toHaveProperty('row.slug', expect.stringMatching(/^pain(-\d)+$/));
    });
  }
});

/** What a document names beside the things of the access tables, and how it is made. */
const MADE = {
  poll: 'createPoll(input: { question: "x", options: ["a"], statement: "y" }) { poll { databaseId } }',
  policy: 'createPolicy(input: { languageId: 1, title: "x", text: "y" }) { policy { databaseId } }',
  quote: 'createQuote(input: { text: "x", languageCode: "en" }) { quote { databaseId } }',
  form: 'createForm(input: { name: "x", scoreLeast: 0, scoreMost: 9 }) { form { databaseId } }',
  sort: 'createHealthcareServiceType(input: { name: "x" }) { type { databaseId } }',
  place: 'createHealthcareService(input: { name: "x" }) { service { databaseId } }',
  model: 'createModel(input: { name: "x", type: POST_TYPE }) { model { databaseId } }',
  medicine:
    'createMedicineReminder(input: { name: "x", frequency: "daily", startsOn: "2026-03-01" }) { reminder { databaseId } }',
  visit:
    'createAppointmentReminder(input: { title: "x", date: "2099-03-01", time: "10:00" }) { reminder { databaseId } }',
};

/** Writes to rows that exist: what is created, changed and deleted at once. */
const TO_ROWS: readonly (readonly [field: string, input: string, shown: string])[] = [
  ['submitPoll', 'pollId: $poll', 'poll { id }'],
  ['agreeToPoll', 'pollId: $poll', 'poll { id }'],
  ['updatePoll', 'id: $poll, options: ["b"]', 'poll { id }'],
  ['deletePoll', 'id: $poll', 'poll { id }'],
  ['agreeToPolicy', 'policyId: $policy', 'policy { id }'],
  ['deletePolicy', 'id: $policy', 'policy { id }'],
  ['updateQuote', 'id: $quote, text: "z"', 'quote { id }'],
  ['deleteQuote', 'id: $quote', 'quote { id }'],
  ['updateForm', 'id: $form, open: false', 'form { id }'],
  ['updateHealthcareServiceType', 'id: $sort, name: "z"', 'type { id }'],
  ['deleteHealthcareServiceType', 'id: $sort', 'type { id }'],
  ['updateHealthcareService', 'id: $place, name: "z", typeIds: [$sort]', 'service { id }'],
  ['deleteHealthcareService', 'id: $place', 'service { id }'],
  ['createModelField', 'modelId: $model, version: 1, label: "z", type: TEXT', 'model { id }'],
  ['createModelGroup', 'modelId: $model, version: 1, label: "z"', 'model { id }'],
  ['createModelItem', 'modelId: $model, values: []', 'item { id }'],
  ['deleteModel', 'id: $model, version: 1, itemCount: 0', 'databaseId'],
  ['pauseMedicineReminder', 'id: $medicine', 'reminder { id }'],
  ['resumeMedicineReminder', 'id: $medicine', 'reminder { id }'],
  ['limitDoses', 'id: $medicine, mostPerDay: 2', 'reminder { id }'],
  ['setMedicineStock', 'id: $medicine, amount: 9, unit: "ml"', 'reminder { id }'],
  ['updateMedicineReminder', 'id: $medicine, name: "z"', 'reminder { id }'],
  ['deleteMedicineReminder', 'id: $medicine', 'deletedReminderId'],
  ['logDose', 'reminderId: $medicine', 'event { id }'],
  ['attendAppointment', 'id: $visit, attended: true', 'event { id }'],
  ['deleteAppointmentReminder', 'id: $visit', 'deletedReminderId'],
  ['trashPost', 'id: $published', 'post { id }'],
  ['deletePost', 'id: $published, force: true', 'deletedPostId'],
  ['updatePost', 'id: $published, slug: "z"', 'post { id }'],
  ['eraseMyAccount', '', 'erasedAccountId'],
];

describe('Six equal requests at once', () => {
  const service = useService();

  /** Makes what a document names. Returns the whole text. */
  async function ready(document: string, headers: Record<string, string>): Promise<string> {
    const ids: Record<string, number> = {};
    for (const [, name = ''] of document.matchAll(/\$(\w+)/g)) {
      const making = MADE[name as keyof typeof MADE];
      if (!making) continue;
      const { body } = await service().graphql(`mutation { ${making} }`, {}, { headers });
      const [, id] = /"databaseId":(\d+)/.exec(JSON.stringify(body)) ?? [];
      expect(body.errors, making).toBeUndefined();
      ids[name] = Number(id);
    }
    const text = document.replace(/\$(\w+)/g, (all, name) => String(ids[name] ?? all));
    return fill(text, await worldOf(service(), text));
  }

  async function sender(document: string, caller?: RoleName): Promise<() => Promise<string>> {
    const headers: Record<string, string> = caller ? await service().session(caller) : {};
    const text = await ready(document, headers);
    return async () => {
      const { body } = await service().graphql(text, {}, { headers });
      return errorCode(body) ?? 'data';
    };
  }

  const WRITES = [
    ...[...LINES, ...SESSION_LINES]
      .filter(([, document]) => document.startsWith('mutation'))
      .map(([, document, { may }]) => {
        const anybody = may.includes('anonymous');
        return [document, anybody ? undefined : (may.at(-1) as RoleName)] as const;
      }),
    ...TO_ROWS.map(([field, input, shown]) => {
      return [`mutation { ${field}(input: { ${input} }) { ${shown} } }`, 'administrator'] as const;
    }),
  ];
  for (const [document, caller] of WRITES)
    onServer(`are answered with data, or as one after the other: ${document}`, async () => {
      const single = await sender(document, caller);
      const oneByOne: string[] = [];
      for (let i = 0; i < 6; i++) oneByOne.push(await single());
      await service().clean();
      const together = await Promise.all(Array.from({ length: 6 }, await sender(document, caller)));
      expect(['data', ...oneByOne]).toEqual(expect.arrayContaining(together));
    });
});
