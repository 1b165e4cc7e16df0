import fc from 'fast-check';
import { mutation, useService } from '../../support/harness.js';
import { makeModel, optionList, valueList } from './modelling.js';

/** Sequences: few in the gate, 2,000 by night. */
const RUNS = Number(process.env.MODEL_SEQUENCES ?? 15);

/** Types of fields in the sequences, with what a value of them must be like. */
const RULES: Readonly<Record<string, (value: unknown) => boolean>> = {
  TEXT: (value) => typeof value === 'string' && !value.includes('\n') && [...value].length <= 255,
  PARAGRAPH: (value) => typeof value === 'string',
  NUMBER: (value) => typeof value === 'number',
  CURRENCY: (value) => typeof value === 'number' && Number(value.toFixed(2)) === value,
  BOOLEAN: (value) => typeof value === 'boolean',
  DATE: (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value),
  DATETIME: (value) => typeof value === 'string' && /^\d{4}-.*\.\d{3}Z$/.test(value),
  COLOR: (value) => typeof value === 'string' && /^#[\da-f]{6}$/.test(value),
  SLUG: (value) => typeof value === 'string' && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(value),
};
const TYPES = Object.keys(RULES);
const NAMES = ['a', 'b', 'c'];

const value = fc.oneof(
  fc.constantFrom(
    '12',
    '-3',
    '1.5',
    'true',
    '2026-03-01',
    '#aabbcc',
    'word',
    'Two words',
    'x\ny',
    '',
  ),
  fc.constantFrom<unknown>(0, 1, 2.25, -7, 1.234, true, false, null, '2026-03-01T00:00:00Z'),
);
const place = fc.nat(5);
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('write' as const),
      item: place,
      name: fc.constantFrom(...NAMES),
      value,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('add' as const),
      name: fc.constantFrom(...NAMES),
      type: fc.constantFrom(...TYPES),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('retype' as const),
      name: fc.constantFrom(...NAMES),
      type: fc.constantFrom(...TYPES),
      maxLost: fc.nat(3),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('rename' as const),
      name: fc.constantFrom(...NAMES),
      to: fc.constantFrom(...NAMES),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('remove' as const), name: fc.constantFrom(...NAMES) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('restore' as const), place }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('return' as const),
      back: fc.integer({ min: 1, max: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), item: place }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface State {
  version: number;
  /** Fields in use, by id. */
  fields: Map<number, { name: string; type: string }>;
  bin: Map<number, { name: string; type: string }>;
  /** Values of each item by the ids of fields, those in the trash included. */
  items: Map<number, Record<number, unknown>>;
}

describe('Random sequences of changes of a model and of its items', () => {
  const service = useService();
  let world: Awaited<ReturnType<typeof makeModel>>;

  const as = (caller: 'administrator' | 'editor', name: string, fields: string, input: object) =>
    service().ask(mutation(name, fields), { input }, caller);

  /** What there is, as the service says. */
  async function observed(): Promise<State> {
    const field = '{ databaseId name type }';
    const { model } = await service().data(
      `{ model(id: ${world.id}) { version fields ${field} removedFields ${field} } }`,
      {},
      'administrator',
    );
    const rows = (await service().database.query(
      'SELECT id, values FROM model_item WHERE definition_id = $1',
      [world.id],
    )) as { id: number; values: Record<number, unknown> }[];
    // biome-ignore lint/suspicious/noExplicitAny: bodies are what the tests are about
    const map = (list: any[]) =>
      new Map(list.map(({ databaseId, name, type }) => [databaseId, { name, type }]));
    return {
      version: model.version,
      fields: map(model.fields),
      bin: map(model.removedFields),
      items: new Map(rows.map(({ id, values }) => [id, values])),
    };
  }

  /** Takes a step. Returns how many values it may lose. */
  async function take(step: Step, before: State): Promise<number> {
    const fieldNamed = (name: string) =>
      [...before.fields].find(([, field]) => field.name === name)?.[0] ?? 4711;
    const itemAt = (at: number) => [...before.items.keys()][at];
    const { version } = before;
    switch (step.do) {
      case 'write': {
        const id = itemAt(step.item);
        const values = valueList({ [step.name]: step.value });
        if (id === undefined)
          await as('editor', 'createModelItem', 'item { id }', { modelId: world.id, values });
        else {
          const { modelItem } = await service().data(
            `{ modelItem(id: ${id}) { version } }`,
            {},
            'editor',
          );
          const input = { id, version: modelItem.version, values };
          await as('editor', 'updateModelItem', 'item { id }', input);
        }
        return 1;
      }
      case 'delete': {
        const id = itemAt(step.item);
        if (id === undefined) return 0;
        const { modelItem } = await service().data(
          `{ modelItem(id: ${id}) { version } }`,
          {},
          'editor',
        );
        await as('editor', 'deleteModelItem', 'item { id }', { id, version: modelItem.version });
        return Object.keys(before.items.get(id) ?? {}).length;
      }
      case 'add': {
        const input = { modelId: world.id, version, name: step.name, label: 'x', type: step.type };
        const options = optionList({ queryable: '1' });
        await as('administrator', 'createModelField', 'model { id }', { ...input, options });
        return 0;
      }
      case 'retype': {
        const input = { id: fieldNamed(step.name), version, type: step.type };
        await as('administrator', 'updateModelField', 'model { id }', {
          ...input,
          maxLost: step.maxLost,
        });
        return step.maxLost;
      }
      case 'rename': {
        const input = { id: fieldNamed(step.name), version, name: step.to };
        await as('administrator', 'updateModelField', 'model { id }', input);
        return 0;
      }
      case 'remove': {
        const input = { id: fieldNamed(step.name), version, maxLost: 100 };
        await as('administrator', 'deleteModelField', 'model { id }', input);
        return 0;
      }
      case 'restore': {
        const id = [...before.bin.keys()][step.place] ?? 4711;
        await as('administrator', 'restoreModelField', 'model { id }', { id, version });
        return 0;
      }
      default: {
        const input = { id: world.id, version, to: Math.max(1, version - step.back) };
        await as('administrator', 'returnModel', 'model { id }', input);
        return 0;
      }
    }
  }

  const countOf = ({ items }: State) =>
    [...items.values()].reduce((sum, values) => sum + Object.keys(values).length, 0);

  it('never leave a value that its field forbids, and lose none that was not named', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 10 }), async (steps) => {
        await service().clean();
        world = await makeModel(service(), 'm', { a: 'TEXT', b: 'NUMBER' });
        let before = await observed();
        for (const step of steps) {
          const mayLose = await take(step, before);
          const after = await observed();
          for (const [id, values] of after.items) {
            const was = before.items.get(id) ?? {};
            for (const [field, held] of Object.entries(values)) {
              const known = after.fields.get(Number(field)) ?? after.bin.get(Number(field));
              expect(known, `a value of no field after ${JSON.stringify(step)}`).toBeDefined();
              expect(RULES[known?.type ?? '']?.(held), JSON.stringify([known, held])).toBe(true);
            }
            // What is in the trash is not touched by anything but its own return.
            for (const field of after.bin.keys())
              if (was[field] !== undefined) expect(values[field]).toStrictEqual(was[field]);
          }
          expect(countOf(after)).toBeGreaterThanOrEqual(countOf(before) - mayLose);
          expect(after.version).toBeGreaterThanOrEqual(before.version);
          if (step.do === 'rename') expect([...after.items]).toStrictEqual([...before.items]);
          before = after;
        }
      }),
      { numRuns: RUNS },
    );
  });
});
