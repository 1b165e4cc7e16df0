import { makeCarer, makeMedicine } from '../support/factories.js';
import { type Answer, mutation, useService } from '../support/harness.js';

/** A change under a key, and what takes the right to it away. */
interface Case {
  readonly name: string;
  readonly send: (headers: Record<string, string>) => Promise<Answer>;
  readonly withdraw: () => Promise<unknown>;
}

describe('A change that comes again under its Idempotency-Key', () => {
  const service = useService();
  const KEY = { 'idempotency-key': 'one' };
  const ANEW = { 'idempotency-key': 'another' };
  const idOf = async (name: 'editor' | 'author' | 'subscriber') =>
    (await service().account(name)).id;
  const become = async (name: 'editor' | 'author', ...roles: string[]) =>
    service().database.prisma.account.update({ where: { id: await idOf(name) }, data: { roles } });
  const rest = (as: 'editor' | 'author', path: string, body: object) => (headers: object) =>
    service().rest('POST', path, { as, body, headers: { ...headers } });
  const graph =
    (as: 'editor' | 'author', name: string, input: object, fields = '__typename') =>
    (headers: Record<string, string>) =>
      service().graphql(mutation(name, fields), { input }, { as, headers });
  /** Who was let in is remembered for a while. */
  const pass = () => service().at(service().now() + 2 * 60_000);
  const told = ({ status, body }: Answer) => [
    status,
    body?.code ?? body?.errors?.[0]?.extensions.code,
  ];

  async function cases(): Promise<Case[]> {
    const post = await service().post({ title: 'x', status: 'publish' }, 'administrator');
    const own = await service().post({ title: 'x', status: 'publish' }, 'author');
    const memberId = await idOf('subscriber');
    const medicine = await makeMedicine(service(), { startDate: '2026-03-10' });
    const cares = service().database.prisma.careRelation;
    await makeCarer(service(), { memberId, carerId: await idOf('author'), right: 'edit' });
    const leave = () => cares.deleteMany({});
    const only = (right: string) => () => cares.updateMany({ data: { right } });
    const published = { title: 'x', status: 'publish' };
    const reminder = { memberId, name: 'x', frequency: 'daily' };
    const lowered = (name: 'editor' | 'author', role: string) => () => become(name, role);
    const list: [string, Case['send'], Case['withdraw']][] = [
      ['publishing', rest('author', '/v1/posts', published), lowered('author', 'contributor')],
      ['creating', rest('author', '/v1/posts', { title: 'x' }), lowered('author', 'subscriber')],
      [
        'writing for others',
        rest('editor', '/v1/posts', { title: 'x', author: await idOf('author') }),
        lowered('editor', 'author'),
      ],
      [
        'changing',
        rest('editor', `/v1/posts/${post.id}`, { title: 'y' }),
        lowered('editor', 'author'),
      ],
      [
        'publishing a change',
        rest('author', `/v1/posts/${own.id}`, { title: 'y' }),
        lowered('author', 'contributor'),
      ],
      [
        'binning',
        rest('editor', `/v1/posts/${post.id}?_method=DELETE`, {}),
        lowered('editor', 'author'),
      ],
      [
        'a medium',
        graph('author', 'createMedia', {
          url: 'https://cdn.example/x.jpg',
          mimeType: 'image/jpeg',
        }),
        lowered('author', 'subscriber'),
      ],
      [
        'a term',
        graph('editor', 'createTerm', { taxonomy: 'CATEGORY', name: 'x' }),
        lowered('editor', 'author'),
      ],
      ['a reminder of a member', graph('author', 'createMedicineReminder', reminder), leave],
      [
        'a reminder, to see alone',
        graph('author', 'createMedicineReminder', reminder),
        only('see'),
      ],
      [
        'a change of a reminder',
        graph('author', 'updateMedicineReminder', { id: medicine, name: 'y' }),
        leave,
      ],
      [
        'a deletion of a reminder',
        graph('author', 'deleteMedicineReminder', { id: medicine }, 'reminder { name }'),
        leave,
      ],
      [
        'a stock',
        graph('author', 'setMedicineStock', { id: medicine, amount: 3, unit: 'ml' }),
        leave,
      ],
      [
        'a stock, to answer alone',
        graph('author', 'setMedicineStock', { id: medicine, amount: 3, unit: 'ml' }),
        only('answer'),
      ],
    ];
    return list.map(([name, send, withdraw]) => ({ name, send, withdraw }));
  }

  const count = 14;
  for (let at = 0; at < count; at++)
    it(`is refused where the same request would be refused now (${at})`, async () => {
      const all = await cases();
      expect(all).toHaveLength(count);
      const { name, send, withdraw } = all[at] as Case;
      const first = await send(KEY);
      expect([name, first.status < 300, told(first)[1]]).toStrictEqual([name, true, undefined]);
      await withdraw();
      pass();
      const [again, anew] = [await send(KEY), await send(ANEW)];
      expect([name, told(anew)[1]]).not.toStrictEqual([name, undefined]);
      expect([name, ...told(again)]).toStrictEqual([name, ...told(anew)]);
    });

  it('is refused when the account is gone, its session has ended, or its password was revoked', async () => {
    const { authorization } = await service().session('author');
    const send = () =>
      service().rest('POST', '/v1/posts', {
        body: { title: 'x' },
        headers: { ...KEY, authorization },
      });
    expect((await send()).status).toBe(201);
    await service().database.prisma.session.updateMany({ data: { endedAt: new Date() } });
    pass();
    expect((await send()).status).toBe(401);
    const basic = await service().authorization('author');
    const byPassword = () =>
      service().rest('POST', '/v1/posts', { body: { title: 'x' }, headers: { ...KEY, ...basic } });
    expect((await byPassword()).status).toBe(201);
    await service().database.prisma.applicationPassword.deleteMany({});
    pass();
    expect((await byPassword()).status).toBe(401);
  });
});
