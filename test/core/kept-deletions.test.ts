import { deserialize } from 'node:v8';
import { globalId } from '../../src/core/node.js';
import { serviceContext } from '../../src/core/service-context.js';
import { transact } from '../../src/core/transact.js';
import { eraseAccount } from '../../src/domains/privacy/erasure.service.js';
import { World } from '../app/written-fields/world.js';
import { errorCode, mutation, useService } from '../support/harness.js';
import { deletionsOf, madeFor } from './replayed-deletions/deletions.js';

describe('What is kept of a deletion for its replay', () => {
  const service = useService();
  const KEY = { 'idempotency-key': 'one' };

  async function world(): Promise<World> {
    await service().clean();
    service().at('2026-03-01T08:00:00Z');
    const { id } = await service().account('administrator');
    const headers = await service().session('administrator');
    return new World(service(), { headers }, globalId('Account', id));
  }

  /** What takes no right but an account. */
  const OWN = new Set(['revokeApplicationPassword']);
  /** Who wrote something for the site is named by it: that stays when they are erased. */
  const WRITERS = /^(?:authorId|createdById|assignedById)$/;

  /** Returns the accounts that a value names, by id or address. */
  function named(value: unknown, accounts: readonly { id: number; email: string | null }[]) {
    const found = new Set<number>();
    const walk = (one: unknown, key = ''): void => {
      if (one && typeof one === 'object' && !(one instanceof Date))
        for (const [name, inner] of Object.entries(one)) walk(inner, name);
      for (const { id, email } of accounts) {
        const isId = one === id && /(?:account|member|carer|clinician|user)Id$/i.test(key);
        if ((isId && !WRITERS.test(key)) || (email && one === email)) found.add(id);
      }
    };
    walk(value);
    return found;
  }

  const kept = async () =>
    (await service().database.prisma.idempotentChange.findMany({})).flatMap(
      ({ deleted, accountId }) =>
        deleted ? [{ accountId, value: deserialize(deleted) as unknown }] : [],
    );

  async function erase(id: number): Promise<void> {
    const context = await serviceContext(service().app.deps, 'test');
    await transact(context, (inner) => eraseAccount(inner, id));
  }

  it('goes with each account that it names, whoever deleted it', async () => {
    const faults: string[] = [];
    let erased = 0;
    for (const deletion of deletionsOf(service().app.schema)) {
      const { input, headers } = await madeFor(service(), await world(), deletion);
      await service().account('subscriber', 'carer');
      const accounts = await service().database.prisma.account.findMany({
        select: { id: true, email: true },
      });
      const sent = { headers: { ...headers, ...KEY } };
      await service().graphql(deletion.text, { input }, sent);
      for (const { accountId, value } of await kept())
        for (const id of named(value, accounts)) {
          if (id === accountId || deletion.name === 'deleteUser') continue;
          await erase(id);
          erased += 1;
          const left = (await kept()).some((row) => named(row.value, accounts).has(id));
          if (left) faults.push(`${deletion.name} names ${id}`);
        }
    }
    expect(faults).toStrictEqual([]);
    expect(erased).toBeGreaterThanOrEqual(5);
  });

  it('goes with the sender of a form, by the proven address', async () => {
    await world();
    const { id, username } = await service().account('subscriber');
    const email = `${username}@example.com`;
    const fields = { name: 'Ada', email, phone: '1', platform: 'web', score: 3, form: 'x' };
    await service().rest('POST', '/v1/ncsm', { edition: 'B', body: fields });
    const { formSubmissions } = await service().data(
      '{ formSubmissions(first: 1) { nodes { id } } }',
      {},
      'administrator',
    );
    const input = { id: formSubmissions.nodes[0].id };
    const headers = { ...(await service().session('administrator')), ...KEY };
    const text = mutation('deleteFormSubmission', 'submission { id name }');
    const remove = () => service().graphql(text, { input }, { headers });
    const first = await remove();
    expect([errorCode(first.body), (await remove()).body]).toStrictEqual([undefined, first.body]);
    await erase(id);
    expect(errorCode((await remove()).body)).toBe('FORM_SUBMISSION_NOT_FOUND');
  });

  it('is not told to whom the right to delete is lost', async () => {
    const told: string[] = [];
    let asked = 0;
    for (const deletion of deletionsOf(service().app.schema)) {
      const { input, headers } = await madeFor(service(), await world(), deletion);
      const send = () =>
        service().graphql(deletion.text, { input }, { headers: { ...headers, ...KEY } });
      const { viewer } = await service().data('{ viewer { account { roles } } }', {}, { headers });
      if (viewer.account.roles.includes('SUBSCRIBER')) continue;
      asked += 1;
      expect([deletion.name, errorCode((await send()).body)]).toStrictEqual([
        deletion.name,
        undefined,
      ]);
      await service().database.prisma.account.updateMany({ data: { roles: ['subscriber'] } });
      service().at(service().now() + 2 * 60_000);
      const again = (await send()).body;
      if (errorCode(again) === undefined && !OWN.has(deletion.name))
        told.push(`${deletion.name} ${JSON.stringify(again)}`);
    }
    expect(told).toStrictEqual([]);
    expect(asked).toBeGreaterThan(20);
  });
});
