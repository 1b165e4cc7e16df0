import { type GraphQLSchema, getOperationAST, parse } from 'graphql';
import type { RequestContext } from '../../src/core/context.js';
import { CompiledQuery } from '../../src/graphql/execution/compiled-query.js';
import { type ExecutionRequest, Executor } from '../../src/graphql/execution/executor.js';
import { smallSchema } from './small-schema.js';

const CONTEXT = {} as RequestContext;
/** The part of the time that may be spent on compiling: all of it, and next to nothing. */
const ALL = 1;
const HARDLY = 1e-9;

function asked(query: string, variables: Record<string, unknown> = {}): ExecutionRequest {
  const document = parse(query);
  const operation = getOperationAST(document);
  if (!operation) throw new Error('No operation.');
  return {
    document,
    operation,
    introspects: /__schema/.test(query),
    isDear: false,
    given: variables,
    coerced: variables,
  };
}

/** An executor, and how often it has compiled. */
function counting(schema: GraphQLSchema, share = ALL) {
  const seen = { compiled: 0 };
  const executor = new Executor(schema, share, (...args) => {
    seen.compiled++;
    return CompiledQuery.of(...args);
  });
  const run = async (one: ExecutionRequest, times = 1) => {
    let last: unknown;
    for (let i = 0; i < times; i++) last = await executor.execute(CONTEXT, one);
    return JSON.parse(JSON.stringify(last));
  };
  return { seen, run };
}

describe('The executor', () => {
  const schema = smallSchema();

  it('compiles a query when it comes for the third time, and once', async () => {
    const { seen, run } = counting(schema);
    const cat = asked('{ cat { name } }');
    const answer = { data: { cat: { name: 'Tom' } } };
    expect([await run(cat, 2), seen.compiled]).toStrictEqual([answer, 0]);
    expect([await run(cat), seen.compiled]).toStrictEqual([answer, 1]);
    expect([await run(cat, 5), seen.compiled]).toStrictEqual([answer, 1]);
  });

  it('compiles no introspection, nothing large, and no name with an underscore', async () => {
    const { seen, run } = counting(schema);
    await run(asked('{ __schema { queryType { name } } }'), 5);
    await run(asked('{ __proto__: cat { name } }'), 5);
    await run(asked('{ a: person { b_c: cats { name } } a_b: person { c: cats { name } } }'), 5);
    const many = Array.from({ length: 301 }, (_, i) => `c${i}: cat { name }`).join(' ');
    await run(asked(`{ ${many} }`), 5);
    // Few fields, but once for each type that a being may be, at each level.
    const beings = (depth: number): string =>
      `{ ... on Named { name ${depth > 0 ? `... on Person { cats { owner ${beings(depth - 1)} } }` : ''} } }`;
    await run(
      asked(`{ ${Array.from({ length: 60 }, (_, i) => `b${i}: beings ${beings(3)}`).join(' ')} }`),
      5,
    );
    expect(seen.compiled).toBe(0);
  });

  it('executes the mutations of a document one after the other, compiled too', async () => {
    const { seen, run } = counting(schema);
    const document = asked('mutation { a: step(n: 1) b: step(n: 2) c: fail d: step(n: 3) }');
    const first = await run(document);
    expect(first.data).toStrictEqual({
      a: 'begun 1, 0 going',
      b: 'begun 2, 0 going',
      c: null,
      d: 'begun 3, 0 going',
    });
    expect(first.errors).toHaveLength(1);
    expect(await run(document, 3)).toStrictEqual(first);
    expect(seen.compiled).toBe(1);
  });

  it('calls what a payload reads when it is selected, compiled too', async () => {
    const { seen, run } = counting(schema);
    const made = { data: { made: { cat: { name: 'Tom' } } } };
    expect(await run(asked('mutation { made { cat { name } } }'), 4)).toStrictEqual(made);
    expect(seen.compiled).toBe(1);
  });

  it('compiles four forms of a query by its @skip and @include, and answers the others too', async () => {
    const { seen, run } = counting(schema);
    const names = ['a', 'b', 'c'];
    const fields = names.map((name) => `${name}: name @include(if: $${name})`).join(' ');
    const query = `query(${names.map((name) => `$${name}: Boolean!`).join()}) { cat { ${fields} } }`;
    const first = asked(query);
    for (let bits = 0; bits < 8; bits++) {
      const given = Object.fromEntries(names.map((name, i) => [name, ((bits >> i) & 1) === 1]));
      const on = names.filter((name) => given[name]).map((name) => [name, 'Tom']);
      expect(await run({ ...first, given, coerced: given }, 4)).toStrictEqual({
        data: { cat: Object.fromEntries(on) },
      });
    }
    expect(seen.compiled).toBe(4);
  });

  it('spends a small part of its time on compiling, however many queries come', async () => {
    const { seen, run } = counting(schema, HARDLY);
    for (let i = 0; i < 50; i++)
      expect(await run(asked(`{ c${i}: cat { name } }`), 4)).toStrictEqual({
        data: { [`c${i}`]: { name: 'Tom' } },
      });
    expect(seen.compiled).toBe(1);
  });

  it('keeps 64 compiled queries: those that were asked last', async () => {
    const { seen, run } = counting(schema);
    const all = Array.from({ length: 65 }, (_, i) => asked(`{ c${i}: cat { name } }`));
    for (const one of all) await run(one, 3);
    expect(seen.compiled).toBe(65);
    await run(all[64] as ExecutionRequest);
    expect(seen.compiled).toBe(65);
    await run(all[0] as ExecutionRequest);
    expect(seen.compiled).toBe(66);
  });

  for (const query of [
    '{ bad { number } }',
    '{ bad { getter } }',
    '{ bad { many { getter } } }',
    '{ bad { deeperNeeded { deeperNeeded { deeperNeeded { deeperNeeded { text } } } } } }',
    '{ bad { error later many { needed } } }',
  ])
    it(`executes a query once, also when it fails, and soon tells faults whole: ${query}`, async () => {
      const failing = smallSchema();
      const field = failing.getQueryType()?.getFields().bad;
      const resolve = field?.resolve;
      let calls = 0;
      Object.assign(field ?? {}, {
        resolve: (...args: Parameters<NonNullable<typeof resolve>>) => {
          calls++;
          return resolve?.(...args);
        },
      });
      const { seen, run } = counting(failing);
      const first = await run(asked(query));
      const again = asked(query);
      await run(again, 3);
      expect([seen.compiled, calls]).toStrictEqual([1, 4]);
      expect(await run(again)).toMatchObject({ data: first.data });
      expect([seen.compiled, calls]).toStrictEqual([1, 5]);
    });
});
