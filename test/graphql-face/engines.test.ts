import fc from 'fast-check';
import { graphqlRequest } from '../fuzz/documents.js';
import { useService } from '../support/harness.js';
import { byBoth, expectEqual, type Variables } from './engines.js';
import { smallSchema } from './small-schema.js';

const ECHO =
  'query($a: Int, $b: [Int!], $m: Mood, $at: Moment, $on: Boolean, $f: Filter, $t: String)';

/** graphql-jit writes such a text into its code as what is to be run. */
const CODE = '__MAGIC_DATE__33a9e76d_02e0_4128_8e92_3530ad3da74dglobalThis.ran = true';

/** Queries that graphql-jit tells in full, with their variables. */
const TOLD: readonly (readonly [string, Variables?])[] = [
  ['{ __typename cat { __typename name lives } }'],
  ['{ a: cat { name } b: cat { n: name m: name } cat { age } cat { name } }'],
  ['{ person { name mood cats { name age owner { name } } } }'],
  ['{ person(late: true) { cats(first: 3) { lives(left: 2) owner { cats { name } } } } }'],
  ['{ beings { __typename ... on Cat { name age owner { name } } ... on Person { p: name } } }'],
  [
    '{ beings(late: true) { ... on Named { name } ... on Aged { age } ...P } } fragment P on Person { mood }',
  ],
  ['{ named { name ... on Cat { lives } } aged { name age __typename } nothing { name } }'],
  ['{ numbers matrix }'],
  ['{ constructor: person { toString: name then: mood valueOf: cats { class: name } } }'],
  ['query($constructor: Int, $class: String) { echo(n: $constructor, filter: { text: $class }) }'],
  [
    '{ cat { ...F ...F } person { cats { ...F } } } fragment F on Cat { name ...G } fragment G on Cat { age }',
  ],
  // Arguments
  ['{ echo(filter: {}) }'],
  ['{ echo(filter: { inner: {}, text: "x", at: "2026-01-02" }, at: "2026-03-04", mood: BAD) }'],
  ['{ echo(ids: 1, n: null, filter: { moods: GOOD, inner: { b: [1, 2], a: null } }) }'],
  ...[{}, { a: null }, { a: 7, b: [1], m: 'BAD', at: '2026-05-06', on: false, t: 'x' }].flatMap(
    (variables) =>
      [
        'echo(filter: { text: $t, inner: { a: $a, b: $b, c: $t }, at: $at })',
        'echo(filter: { inner: { a: $a }, moods: [$m] }, n: $a, at: $at, mood: $m, ids: $b)',
        'echo(filter: $f, ids: $b)',
        'person(late: $on) { name cats(first: $a) { lives(left: $a) } }',
      ].map((field) => [`${ECHO} { ${field} }`, variables] as const),
  ),
  [`${ECHO} { echo(filter: $f) }`, { f: { inner: { c: null }, moods: ['BAD'], at: '2026-07-08' } }],
  ['query($n: Int = 5, $f: Filter = { inner: { c: "d" } }) { echo(n: $n, filter: $f) }'],
  ['query($n: Int! = 5, $m: Mood = BAD) { echo(n: $n, need: $n, mood: $m) required(n: $n) }'],
  ['query($n: Int = 5) { echo(need: $n) required(n: $n) }', { n: 6 }],
  ['query($n: Int) { echo(need: $n) }'],
  ['query($n: Int = 5) { echo(n: $n) }', { n: null }],
  ['{ say(text: "a\\u2028\\"b", id: 5, ids: 6) }'],
  [`{ say(text: "${CODE}", id: "${CODE}", ids: ["${CODE}"]) echo(filter: { text: "${CODE}" }) }`],
  ['query($t: String) { say(text: $t) }', { t: CODE }],
  // @skip and @include
  ...[true, false].flatMap((on) =>
    [
      'cat { name @include(if: $on) age @skip(if: $on) }',
      'cat @skip(if: $on) { name } person { name }',
      '...F @include(if: $on) person { name } ...F',
      'person { cats { ...C @skip(if: $on) ...C } } cat { ...C @include(if: $on) }',
      'person { cats @include(if: $on) { name } } person { cats { age } }',
      'cat { name @skip(if: $on) @include(if: $on) } ... @include(if: $on) { aged { name } }',
      'cat { name @include(if: $on) age name }',
    ].map(
      (selection) =>
        [
          `query($on: Boolean!) { ${selection} numbers @skip(if: $on) n: numbers @include(if: $on) }
          fragment F on Query { cat { age } } fragment C on Cat { name }`,
          { on },
        ] as const,
    ),
  ),
  ['query($on: Boolean = true) { cat { name @skip(if: $on) } }'],
  ['{ cat { name @include(if: false) } }'],
  // Errors
  ['{ bad { text error refused later } }'],
  ['{ bad { deeper { e: error\n later } some { refused text } many { later } } }'],
  ['{ bad { text needed } }'],
  ['{ badNeeded { deeper { needed } deeperNeeded { neededLater } } }'],
  ['{ badNeeded { needed } }'],
  ['{ a: badNeeded { needed error } b: badNeeded { needed } }'],
  ['{ bad { some { needed } } cat { name } }'],
  ['{ person { broken cats { owner { broken } } } }'],
  ['{ bad { many { needed text } some { neededLater } deeper { many { neededLater } } } }'],
  ['{ badLater { text neededLater error } cat { name } }'],
];

/** Queries with faults of ours, which graphql-jit tells in its own way. */
const FAULTS = [
  '{ bad { number } }',
  '{ bad { deeperNeeded { deeperNeeded { deeperNeeded { deeperNeeded { text } } } } } }',
  '{ bad { getter } }',
  '{ badLater { getter } }',
  '{ bad { many { getter } } }',
  '{ promises }',
];

/** Variables that do not fit their places, which graphql-jit has other words for. */
const LEFT: readonly (readonly [string, Variables])[] = [
  ['query($n: Int = 5) { required(n: $n) }', { n: null }],
  ['query($at: Int = 5) { echo(filter: { text: "x" }, need: $at) }', { at: null }],
  ['query($on: Boolean = true) { echo(filter: { flag: $on }) }', { on: null }],
  ['query($n: Int) { echo(need: $n) }', { n: null }],
  ['query($n: Int) { a: echo(n: $n) b: echo(need: $n) }', { n: null }],
  ['query($on: Boolean) { echo(filter: { flag: $on }) }', { on: null }],
];

/** Random documents: the same ones each time, unless so many others are asked for. */
const RUNS = process.env.ENGINE_RUNS
  ? { numRuns: Number(process.env.ENGINE_RUNS) }
  : { numRuns: 200, seed: 7 };

describe('A query that is compiled', () => {
  const schema = smallSchema();
  const service = useService();

  for (const [query, variables = {}] of TOLD)
    it(`is answered as graphql-js answers it: ${query} ${JSON.stringify(variables)}`, async () => {
      const answers = await byBoth(schema, query, variables, () => ({}));
      expect(answers?.compiled).toBeDefined();
      if (answers) expectEqual(answers);
      expect('ran' in globalThis).toBe(false);
    });

  for (const [query, variables] of LEFT)
    it(`is left to graphql-js before it runs where a variable does not fit: ${query}`, async () => {
      const answers = await byBoth(schema, query, variables, () => ({}));
      expect(answers?.interpreted).toHaveProperty('errors');
      expect(answers?.compiled).toBeUndefined();
    });

  for (const query of FAULTS)
    it(`says that a fault of ours was told otherwise: ${query}`, async () => {
      const answers = await byBoth(schema, query, {}, () => ({}));
      expect(answers?.isFaulty).toBe(true);
      // The face shows no words of such an error, if it is no GraphQLError.
      expect(answers?.compiled?.errors?.map(({ cause }) => cause)).not.toContain(undefined);
    });

  it('is answered as graphql-js answers it, whatever the service is asked', async () => {
    for (const title of ['One', 'Two', 'Three']) await service().post({ title, content: 'Text' });
    const { authorization } = await service().authorization('administrator');
    const context = async () => {
      const input = { authorization, siteUrl: service().url, requestId: 'x' };
      return Object.assign(await service().app.createContext(input), { isQuery: true });
    };
    service().at('2026-03-10T08:00:00Z');
    let compared = 0;
    const request = fc.gen().map(graphqlRequest);
    const runs = fc.asyncProperty(request, async ({ body }) => {
      const asked = JSON.parse(body ?? 'null');
      if (typeof asked?.query !== 'string' || !asked.query.startsWith('query')) return;
      if (/audit/i.test(asked.query)) return; // each look into the audit adds a row to it
      const { schema } = service().app;
      const answers = await attempt(() => byBoth(schema, asked.query, asked.variables, context));
      if (!answers?.compiled || answers.isFaulty) return;
      compared++;
      expectEqual(answers);
    });
    await fc.assert(runs, { ...RUNS, endOnFailure: true });
    expect(compared).toBeGreaterThan(20);
  });
});

/** What does not parse, and variables that are none, are not what this is about. */
async function attempt<T>(call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    if (
      error instanceof Error &&
      /^Syntax Error|^Variables must be|null or undefined/.test(error.message)
    )
      return undefined;
    throw error;
  }
}
