import fc from 'fast-check';
import { buildSchema, type ExecutionResult, execute, parse } from 'graphql';
import type { RequestContext } from '../../src/core/context.js';
import { dialectOf, Made } from '../../src/rest/dialect.js';
import { Compiled, type Variables } from '../../src/rest/operation/compiling.js';

const SCHEMA = buildSchema(`
  enum Colour { RED GREEN }
  input Below { words: [String!] colour: Colour = RED }
  input Change { id: Int! title: String size: Int = 3 below: Below }
  type Item { id: Int! title(upper: Boolean): String broken: String }
  type Payload { item: Item }
  type Query { nothing: Int }
  type Mutation {
    change(input: Change!, colour: Colour = GREEN, note: String): Payload
    remove(id: Int!): Payload
  }
`);
const DOCUMENT = parse(`
  mutation M($id: Int!, $title: String, $size: Int, $words: [String!], $colour: Colour,
    $force: Boolean!, $note: String, $upper: Boolean, $withBroken: Boolean!) {
    change(
      input: { id: $id, title: $title, size: $size, below: { words: $words, colour: $colour } }
      colour: $colour
      note: $note
    ) @skip(if: $force) {
      item { ... on Item { id title(upper: $upper) broken @include(if: $withBroken) } }
    }
    remove(id: $id) @include(if: $force) { item { id } }
  }
`);

const asked: unknown[] = [];
const resolve = (name: string) => (_: unknown, given: { id?: number; input?: { id: number } }) => {
  asked.push([name, given]);
  const id = given.id ?? given.input?.id;
  if (id === 0) throw new Error('There is no item 0.');
  return { item: { id, title: 'Title' } };
};
const fieldsOf = (name: string) =>
  (SCHEMA.getType(name) as { getFields(): Record<string, { resolve?: unknown }> }).getFields();
for (const name of ['change', 'remove'])
  Object.assign(fieldsOf('Mutation')[name] ?? {}, { resolve: resolve(name) });
Object.assign(fieldsOf('Item').broken ?? {}, {
  resolve: () => {
    throw new Error('It is broken.');
  },
});
Object.assign(fieldsOf('Item').title ?? {}, {
  resolve: ({ title }: { title: string }, { upper }: { upper?: boolean }) =>
    upper ? title.toUpperCase() : title,
});

const schema = dialectOf(SCHEMA);

/** What a change answered, and with which arguments its resolvers were called. */
async function ran(run: () => Promise<ExecutionResult>) {
  asked.length = 0;
  const { data, errors = [] } = await run();
  return {
    data: JSON.stringify(data ?? null),
    errors: errors.map(({ message, path }) => [message, path]),
    asked: structuredClone(asked),
  };
}

const absent = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof(fc.constant(undefined), fc.constant(null), value);
const variables = fc
  .record({
    id: fc.integer({ min: 0, max: 3 }),
    title: absent(fc.string()),
    size: absent(fc.integer({ min: 1, max: 9 })),
    words: absent(fc.array(fc.string(), { maxLength: 3 })),
    colour: absent(fc.constantFrom('RED', 'GREEN')),
    note: absent(fc.string()),
    upper: absent(fc.boolean()),
    force: fc.boolean(),
    withBroken: fc.boolean(),
  })
  .map((given) =>
    Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  );

describe('A change of REST, compiled', () => {
  const compiled = new Compiled('M', schema, () => structuredClone(DOCUMENT));
  const context = {} as RequestContext;
  const both = async (variableValues: Variables) => [
    await ran(() => compiled.mutate(context, variableValues, new Made())),
    await ran(async () =>
      execute({ schema, document: DOCUMENT, variableValues, rootValue: new Made() }),
    ),
  ];

  it('answers, fails and asks its resolvers as graphql-js does', async () => {
    await fc.assert(
      fc.asyncProperty(variables, async (given) => {
        const [made, expected] = await both(given);
        expect(made).toStrictEqual(expected);
      }),
    );
  });

  it('leaves absent input fields absent, and null null', async () => {
    const [made] = await both({ id: 1, title: null, force: false, withBroken: false });
    expect(made?.asked).toStrictEqual([
      [
        'change',
        { input: { id: 1, title: null, size: 3, below: { colour: 'RED' } }, colour: 'GREEN' },
      ],
    ]);
  });

  it.each([
    [{ id: 'one' }],
    [{ id: null }],
    [{}],
    [{ id: 1, colour: 'BLUE' }],
    [{ id: 1, words: [null] }],
  ])(
    'changes nothing when its variables do not fit, and says why as graphql-js: %j',
    async (given) => {
      const [made, expected] = await both({ force: false, withBroken: false, ...given });
      expect(made).toStrictEqual(expected);
      expect(made?.asked).toStrictEqual([]);
      expect(made?.errors).toHaveLength(1);
    },
  );

  it('leaves what it made in its root value', async () => {
    const made = new Made();
    await compiled.mutate(context, { id: 2, force: true, withBroken: false }, made);
    expect(made.value).toStrictEqual({ item: { id: 2, title: 'Title' } });
  });
});
