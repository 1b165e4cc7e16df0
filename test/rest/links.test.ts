import { seedDemo } from '../../src/app/seed/demo.js';
import { serviceContext } from '../../src/core/service-context.js';
import { transact } from '../../src/core/transact.js';
import { bearer, useService } from '../support/harness.js';

type Links = Record<string, { href: string; templated?: boolean }[]>;

describe('The demo site', () => {
  const service = useService();
  const get = (address: string) =>
    service().fetch(address.slice(service().url.length), { method: 'GET' });
  const seed = async () => {
    const { id } = await service().account('administrator');
    return {
      accounts: await transact(await serviceContext(service().app.deps, 'test'), (context) =>
        seedDemo(context, id),
      ),
    };
  };

  it('has posts, a tree of pages, healthcare items, terms, pictures, and things that are not public yet', async () => {
    await seed();
    const total = async (path: string, query = '') =>
      Number(
        (await service().rest('GET', path, { as: 'editor', query, edition: 'B' })).headers.get(
          'x-wp-total',
        ),
      );
    expect([
      await total('/v1/posts'),
      await total('/v1/posts', 'status=future,draft,pending'),
      await total('/v1/pages'),
      await total('/v1/healthcare'),
    ]).toStrictEqual([9, 3, 6, 5]);
    const { body } = await service().rest('GET', '/v1/posts', { query: 'sticky=true&_embed=1' });
    const [picture] = body[0]._embedded['wp:featuredmedia'];
    const image = await get(picture.source_url);
    expect([image.status, image.headers.get('content-type')]).toStrictEqual([
      200,
      'image/svg+xml; charset=utf-8',
    ]);
    expect((await service().rest('GET', '/v1/posts', { query: 'search=kettle' })).body.length).toBe(
      1,
    );
  });

  it('has a member with medicine, an appointment and logged doses, who is cared for', async () => {
    const { accounts } = await seed();
    const as = async (username: string, query: string) => {
      const password = accounts.find((account) => account.username === username)?.password;
      const login = await service().rest('POST', '/v1/login', { body: { username, password } });
      const headers = bearer(login.body.token);
      return (await service().graphql(query, {}, { headers })).body.data;
    };
    const home =
      'timeZone today { title } nextAppointment { title } week { taken skipped missed asNeeded ' +
      'medicines { name } }';
    const { memberHome, medicineReminders } = await as(
      'mina',
      `{ memberHome { ${home} } medicineReminders { totalCount } }`,
    );
    expect(medicineReminders.totalCount).toBe(3);
    expect(memberHome.nextAppointment.title).toMatch(/^Dr. Weiss/);
    const { taken, skipped, missed, asNeeded } = memberHome.week;
    expect([taken, skipped, asNeeded]).toStrictEqual([6, 1, 1]);
    expect(missed).toBeGreaterThanOrEqual(1);
    const caring = '{ caredForMembers { nodes { right through } } }';
    expect((await as('otto', caring)).caredForMembers.nodes).toStrictEqual([
      { right: 'ANSWER', through: ['RELATION'] },
    ]);
    expect((await as('clara', caring)).caredForMembers.nodes).toStrictEqual([
      { right: 'EDIT', through: ['ASSIGNMENT'] },
    ]);
  });

  for (const edition of ['A', 'B'] as const) {
    it(`has no link that leads nowhere, in edition ${edition}`, async () => {
      await seed();
      const pending = new Map<string, string>();
      const known = new Set<string>();
      const collect = (value: unknown, from: string): void => {
        if (Array.isArray(value)) for (const entry of value) collect(entry, from);
        else if (value && typeof value === 'object') {
          for (const [rel, links] of Object.entries((value as { _links?: Links })._links ?? {}))
            for (const { href, templated } of links) {
              // Revisions are for editors.
              if (templated || known.has(href) || /\/revisions/.test(href)) continue;
              known.add(href);
              pending.set(href, `${rel} of ${from}`);
            }
          for (const part of Object.values(value)) collect(part, from);
        }
      };
      const kinds = edition === 'A' ? ['posts', 'pages'] : ['posts', 'pages', 'healthcare'];
      for (const kind of kinds)
        collect(
          (await service().rest('GET', `/v1/${kind}`, { query: 'per_page=100&_embed=1', edition }))
            .body,
          kind,
        );
      while (pending.size > 0) {
        const [[href, from]] = pending as unknown as [[string, string]];
        pending.delete(href);
        const { status, body } = await get(href);
        expect(status, `${href}, ${from}`).toBe(200);
        collect(body, href);
      }
      expect(known.size, `only ${known.size} links`).toBeGreaterThan(60);
    });
  }
});
