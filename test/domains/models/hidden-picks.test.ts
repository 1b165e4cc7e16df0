import { globalId } from '../../../src/core/node.js';
import { type By, errorCode, mutation, useService } from '../../support/harness.js';
import { type FieldSpec, makeItem, makeModel, valueList } from './modelling.js';

const UPDATE = mutation('updateModelItem', 'item { version values }');
const people = (options: Record<string, string> = {}): FieldSpec => ({
  type: 'PICK',
  options: { pick_object: 'user', ...options },
});
const MULTI = { pick_format_type: 'multi' };

describe('Who sets a field takes away no row that they may not see', () => {
  const service = useService();

  /** Two hidden accounts, two authors whom all see, a model of people, and an item of it. */
  async function ready(
    values: (ids: Record<'h' | 'i' | 'a' | 'b', number>) => Record<string, unknown>,
    options: Record<string, string> = {},
  ) {
    const idOf = async (role: 'subscriber' | 'author', name: string) =>
      (await service().account(role, name)).id;
    const [h, i] = [await idOf('subscriber', 'h'), await idOf('subscriber', 'i')];
    const [a, b] = [await idOf('author', 'a'), await idOf('author', 'b')];
    for (const author of [a, b])
      await service().post({ title: 'One', status: 'publish', author }, 'administrator');
    const model = await makeModel(service(), 'teams', {
      name: 'TEXT',
      lead: people(options),
      all: people({ ...MULTI, ...options }),
    });
    const ids = { h, i, a, b };
    const item = await makeItem(service(), model.id, values(ids), 'administrator');
    return { ...ids, model, itemId: item.databaseId as number };
  }

  const stored = async (id: number) => {
    const [row] = await service().database.prisma.$queryRaw<{ values: string; keys: string }[]>`
      SELECT "values"::text AS values, keys::text AS keys FROM model_item WHERE id = ${id}`;
    return row;
  };
  const read = async (id: number, by: By) =>
    (await service().data(`{ modelItem(id: ${id}) { version values } }`, {}, by)).modelItem;
  const write = async (id: number, values: Record<string, unknown>, by: By = 'editor') => {
    const { version } = await read(id, by);
    return service().ask(UPDATE, { input: { id, version, values: valueList(values) } }, by);
  };
  /** What is stored, as the administrator reads it after a change by an editor. */
  const saved = async (id: number, values: Record<string, unknown>, by: By = 'editor') => {
    const answer = await write(id, values, by);
    expect(answer.errors).toBeUndefined();
    return (await read(id, 'administrator')).values;
  };

  it('an item that editors save as they read it stays as it is, byte by byte', async () => {
    const { itemId } = await ready(({ h, i, a, b }) => ({
      name: 'One',
      lead: h,
      all: [h, a, i, b],
    }));
    const before = await stored(itemId);
    const editors: By[] = ['editor', { headers: await service().session('editor', 'other') }];
    for (const by of [...editors, 'administrator' as const]) {
      const { values } = await read(itemId, by);
      expect((await write(itemId, values, by)).errors).toBeUndefined();
      expect(await stored(itemId)).toStrictEqual(before);
      const form = { name: null, lead: null, all: null, ...values };
      expect((await write(itemId, form, by)).errors).toBeUndefined();
      expect(await stored(itemId)).toStrictEqual(before);
    }
  });

  it('a list keeps them behind what is given, in their order', async () => {
    const { h, i, a, b, itemId } = await ready(({ h, i, a }) => ({ all: [i, a, h] }));
    expect(await saved(itemId, { all: [b, a] })).toStrictEqual({ all: [b, a, i, h] });
    expect(await saved(itemId, { all: [globalId('Account', b)] })).toStrictEqual({
      all: [b, i, h],
    });
    for (const nothing of [null, [], ''])
      expect(await saved(itemId, { all: nothing })).toStrictEqual({ all: [i, h] });
    expect((await read(itemId, 'editor')).values).toStrictEqual({});
    expect(await saved(itemId, { all: [a] }, 'administrator')).toStrictEqual({ all: [a] });
    expect(await saved(itemId, { all: null }, 'administrator')).toStrictEqual({});
  });

  it('a single one stays until another is named', async () => {
    const { h, a, itemId } = await ready(({ h }) => ({ lead: h }));
    for (const nothing of [null, [], ''])
      expect(await saved(itemId, { lead: nothing })).toStrictEqual({ lead: h });
    expect(await saved(itemId, { lead: a })).toStrictEqual({ lead: a });
    expect(await saved(itemId, { lead: null })).toStrictEqual({});
    await saved(itemId, { lead: h }, 'administrator');
    expect(await saved(itemId, { lead: null }, 'administrator')).toStrictEqual({});
  });

  it('a required field has a value in them', async () => {
    const { h, itemId } = await ready(({ h }) => ({ lead: h, all: [h] }), { required: '1' });
    for (const values of [{ name: 'x' }, { lead: null, all: null, name: 'x' }])
      expect(await saved(itemId, values)).toStrictEqual({ name: 'x', lead: h, all: [h] });
    expect(errorCode(await write(itemId, { lead: null }, 'administrator'))).toBe(
      'MODEL_VALUE_REQUIRED',
    );
  });

  it('a list has no more entries than its field allows, them included', async () => {
    const { h, a, b, itemId } = await ready(({ h, a }) => ({ all: [h, a] }), { pick_limit: '2' });
    const before = await stored(itemId);
    const { errors } = await write(itemId, { all: [a, b] });
    expect(errors[0].extensions.problems).toMatchObject([
      {
        path: ['input', 'values', 0, 'value'],
        code: 'MODEL_VALUE_INVALID',
        message: expect.stringContaining('1 to 2 ids, those that you may not see among them'),
      },
    ]);
    expect(await stored(itemId)).toStrictEqual(before);
    expect(await saved(itemId, { all: [b] })).toStrictEqual({ all: [b, h] });
  });

  it('and is not told by a guess which hidden rows are stored, by any of its answers', async () => {
    const { h, i, a, b, itemId } = await ready(({ h, a }) => ({ lead: h, all: [h, a] }), {
      pick_limit: '2',
    });
    const before = await stored(itemId);
    const told = async (id: number) => {
      const guesses = [{ lead: id }, { all: [id] }, { all: [a, id] }, { all: [a, b, id] }];
      const answers: string[] = [];
      for (const guess of guesses)
        answers.push(JSON.stringify((await write(itemId, guess)).errors));
      return answers.join().replaceAll(`not ${id} `, 'not ID ');
    };
    const storedOne = await told(h);
    expect(storedOne.match(/MODEL_VALUE_INVALID/g)).toHaveLength(8);
    expect(storedOne).toBe(await told(i));
    expect(storedOne).toBe(await told(987_654));
    expect(await stored(itemId)).toStrictEqual(before);
  });

  it('nor by sending back what was read and is hidden since: that is refused, and stays', async () => {
    const { a, b, itemId } = await ready(({ a, b }) => ({ lead: a, all: [a, b] }));
    const { values } = await read(itemId, 'editor');
    expect(values.all).toStrictEqual([a, b]);
    await service().database.prisma.contentItem.updateMany({
      where: { authorId: a },
      data: { status: 'draft' },
    });
    const before = await stored(itemId);
    expect((await read(itemId, 'editor')).values).toStrictEqual({ all: [b] });
    expect(errorCode(await write(itemId, values))).toBe('MODEL_VALUE_INVALID');
    expect(await stored(itemId)).toStrictEqual(before);
    expect(await saved(itemId, { all: [b] })).toStrictEqual({ lead: a, all: [a, b] });
  });

  it('a new item holds what is given, and no default that is hidden from its author', async () => {
    const { h, a } = await ready(() => ({}));
    const model = await makeModel(service(), 'wards', {
      all: people({ ...MULTI, default_value: String(h) }),
    });
    expect((await makeItem(service(), model.id, { all: [a] })).values).toStrictEqual({ all: [a] });
    const other = await makeItem(service(), model.id, { all: null });
    expect((await read(other.databaseId, 'administrator')).values).toStrictEqual({});
  });
});
