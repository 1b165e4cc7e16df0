// A change may say on which version of its object it is based: one that is based on an older one
// changes nothing, and is told the present version.
import { globalId } from '../../src/core/node.js';
import { MINA, makeMina } from '../journeys/dashboard/mina.js';
import { makeMedicine } from '../support/factories.js';
import { mutation, useService } from '../support/harness.js';
import { Run } from './written-fields/run.js';
import { RUNS, WRITERS } from './written-fields/samples.js';
import { keepingSite, World } from './written-fields/world.js';
import { type Writing, writingsOf } from './written-fields/writing.js';

/** Inputs of what cannot be made here: their versions are proven elsewhere. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  UpdateChannelInput: 'domains/notifications/channels.test.ts',
};

describe('Every input that changes something', () => {
  const service = useService();

  it('names the version that it is based on', () => {
    const unbased = writingsOf(service().app.schema)
      .filter(({ isChange, input }) => isChange && !('version' in input.getFields()))
      .map(({ input }) => input.name);
    expect(unbased).toStrictEqual([]);
  });

  /** Changes something twice on one version. Returns what is wrong with the second answer. */
  async function faultOf(writing: Writing, creating: Writing | undefined) {
    await service().clean();
    service().at('2026-03-01T08:00:00Z');
    const { id } = await service().account('administrator');
    const administrator = { headers: await service().session('administrator') };
    const world = new World(service(), administrator, globalId('Account', id));
    const writer = WRITERS[writing.noun] ?? 'administrator';
    if (writer === 'anonymous') return 'is for anybody';
    const by = { headers: await service().session(writer) };
    const left = RUNS[writing.noun]?.[0] ?? [];
    const changes = 'id' in writing.input.getFields() ? creating : undefined;
    const made = changes ? await new Run(world, changes, left, by).write(1) : undefined;
    const own = made ? { id: made.row.writtenId } : {};
    const run = new Run(world, writing, left, by);
    const before = (await run.version(own.id)) as { version: number };
    const { samples } = await run.write(0, own);
    const present = (await run.version(own.id)) as { version: number };
    if (present.version <= before.version) return 'does not count';
    const sent = Object.fromEntries([...samples].map(([name, sample]) => [name, sample.sent]));
    const { body } = await service().graphql(
      mutation(writing.name, `${writing.place} { __typename }`),
      { input: { ...sent, ...own, ...before } },
      by,
    );
    const { code, version } = body.errors?.[0]?.extensions ?? {};
    return code === 'CONFLICT' && version === present.version
      ? undefined
      : JSON.stringify(body.errors ?? body.data);
  }

  it('is refused with the present version when it is based on an older one', async () => {
    const writings = writingsOf(service().app.schema);
    const faults: Record<string, string> = {};
    const based = writings.filter(
      ({ isChange, input }) =>
        isChange && 'version' in input.getFields() && !(input.name in ELSEWHERE),
    );
    for (const writing of based) {
      const creating = writings.find(({ noun, isChange }) => noun === writing.noun && !isChange);
      await keepingSite(service(), async () => {
        const fault = await faultOf(writing, creating).catch(({ message }: Error) => message);
        if (fault) faults[writing.input.name] = fault;
      });
    }
    expect(faults).toStrictEqual({});
    expect(based.length).toBeGreaterThan(15);
  });
});

describe('What a carer and a member set of a medicine at once', () => {
  const service = useService();

  it.each([
    ['setDoseAmounts', { unit: 'tablet', steps: [{ amount: 1 }] }, 'version'],
    ['limitDoses', { maxPerDay: 2 }, 'version'],
    ['setMedicineStock', { amount: 20, unit: 'tablet' }, 'stock { version }'],
  ])('by %s is kept once: the second is told the present version', async (name, set, shown) => {
    const id = await makeMedicine(service(), { frequencyType: 'daily' });
    const { medicineReminder } = await service().data(
      `query { medicineReminder(id: ${id}) { version } }`,
    );
    const version = name === 'setMedicineStock' ? 0 : medicineReminder.version;
    const send = () =>
      service().ask(mutation(name, `reminder { ${shown} }`), { input: { id, version, ...set } });
    expect((await send()).errors).toBeUndefined();
    const { errors } = await send();
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'CONFLICT', version: version + 1 });
  });
});

describe('What two administrators do to an account at once', () => {
  const service = useService();

  it('by setRoles is done once: the second is told the present version', async () => {
    const { id: userId } = await service().account('author', 'aziz');
    const read = async () =>
      (await service().data(`{ account(id: ${userId}) { version } }`, {}, 'administrator')).account
        .version;
    const version = await read();
    const headers = await service().session('administrator');
    const set = (role: string) =>
      service().graphql(
        mutation('setRoles', 'account { roles version }'),
        { input: { userId, roles: [role], version } },
        { headers },
      );
    expect((await set('EDITOR')).body.data.setRoles.account).toStrictEqual({
      roles: ['EDITOR'],
      version: version + 1,
    });
    const { errors } = (await set('ANALYST')).body;
    expect(errors[0].extensions).toMatchObject({ code: 'CONFLICT', version: version + 1 });
    expect(await read()).toBe(version + 1);
  });
});

describe('The version of an account', () => {
  const service = useService();

  it('is shown by the sign-in', async () => {
    await makeMina(service());
    const query =
      'mutation($input: LoginInput!) { login(input: $input) { viewer { version account { version } } } }';
    const { body } = await service().graphql(query, { input: MINA });
    expect(body.data.login.viewer).toStrictEqual({ version: 0, account: { version: 0 } });
  });
});
