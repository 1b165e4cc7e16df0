import fc from 'fast-check';
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  getOperationAST,
  getVariableValues,
  parse,
} from 'graphql';
import { CompiledQuery } from '../../src/graphql/execution/compiled-query.js';
import { Executor } from '../../src/graphql/execution/executor.js';
import { useService } from '../support/harness.js';

type Input = Readonly<Record<string, unknown>>;

const KINDS = { Post: 'post', Page: 'page', HealthcareItem: 'item' } as const;
type KindName = keyof typeof KINDS;

/** Most items of a document. */
const MOST = 5;
/** The forms of documents: as many mutations, of items of a kind. */
const OWN = '{ databaseId title slug status url version }';
const documentOf = (name: KindName, count: number, selection = `{ ${KINDS[name]} ${OWN} }`) => {
  const places = Array.from({ length: count }, (_, i) => i);
  const variables = places.map((i) => `$i${i}: Create${name}Input!`).join();
  return parse(
    `mutation(${variables}) { ${places.map((i) => `a${i}: create${name}(input: $i${i}) ${selection}`).join(' ')} }`,
  );
};

const RUNS = process.env.TOGETHER_RUNS
  ? { numRuns: Number(process.env.TOGETHER_RUNS) }
  : { numRuns: 60, seed: 3 };

/** What an item is made of: some are refused, and some want a slug that another one has. */
const input = fc.record(
  {
    title: fc.constantFrom('Water', 'water', 'Wässer', 'Oil & water', ''),
    slug: fc.constantFrom('water', 'oil', 'WATER', 'water-2', ''),
    content: fc.constantFrom('<p>Text</p>', 'Text', ''),
    status: fc.constantFrom('PUBLISH', 'DRAFT', 'PENDING', 'PRIVATE', 'FUTURE'),
    password: fc.constantFrom('', 'word'),
    featuredMediaId: fc.constantFrom('999999', null),
    publishedAt: fc.constantFrom('2031-01-01T10:00:00Z', '2019-05-05T05:05:05Z'),
    authorId: fc.constantFrom('999999', null),
  },
  { requiredKeys: [] },
);

/** Gives the texts of inputs a beginning of their own, so that they meet no other run's slugs. */
const within = (run: string, { title, slug, ...rest }: Input): Input => ({
  ...rest,
  ...(title ? { title: `${run} ${title}` } : { title }),
  ...(slug ? { slug: `${run}-${slug}` } : {}),
});

describe('Mutations of one request that make items', () => {
  const service = useService();

  async function engines() {
    const { app, url } = service();
    const { schema } = app;
    const { authorization } = await service().authorization('administrator');
    const context = () => app.createContext({ authorization, siteUrl: url, requestId: 'x' });
    const ALL_OF_THE_TIME = 1;
    const seen = { compiled: 0 };
    const executor = new Executor(schema, ALL_OF_THE_TIME, (...given) => {
      seen.compiled++;
      return CompiledQuery.of(...given);
    });
    const compiled = async (document: DocumentNode, given: Input) => {
      const operation = getOperationAST(document);
      if (!operation) throw new Error('There is no operation.');
      const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], {
        ...given,
      });
      if (!coerced) return undefined;
      const asked = { document, operation, introspects: false, isDear: false, given, coerced };
      return executor.execute(await context(), asked);
    };
    /** As graphql-js executes it: one after the other. */
    const interpreted = async (document: DocumentNode, variableValues: Input) =>
      execute({ schema, document, contextValue: await context(), variableValues });
    return { compiled, interpreted, seen };
  }

  const variablesOf = (inputs: readonly Input[]) =>
    Object.fromEntries(inputs.map((one, i) => [`i${i}`, one]));

  /** A result without the run's own beginning, ids in their order alone. */
  function shown(run: string, result: ExecutionResult | undefined) {
    const text = JSON.stringify(result?.data ?? null).replaceAll(service().url, '');
    const ids = [...new Set([...text.matchAll(/"databaseId":(\d+)/g)].map(([, id]) => Number(id)))]
      .sort((a, b) => a - b)
      .map(String);
    const data = text
      .replaceAll(run, 'run')
      .replace(/\b\d+\b/g, (number) =>
        ids.includes(number) ? `9000${ids.indexOf(number)}` : number,
      );
    const errors = result?.errors?.map(({ message, path, originalError }) => ({
      message: message.replaceAll(run, 'run'),
      path,
      kind: originalError?.constructor.name,
    }));
    return { data: JSON.parse(data), errors };
  }

  it('result in what they result in one after the other, whatever is made', async () => {
    const { compiled, interpreted, seen } = await engines();
    let [runs, made, refused] = [0, 0, 0];
    const documents = new Map<string, DocumentNode>();
    const warmed = async (name: KindName, count: number) => {
      const key = `${name} ${count}`;
      const known = documents.get(key);
      if (known) return known;
      const document = documentOf(name, count);
      const inputs = Array.from({ length: count }, (_, i) => ({ title: `Warm ${key} ${i}` }));
      for (let i = 0; i < 3; i++) await compiled(document, variablesOf(inputs));
      documents.set(key, document);
      return document;
    };
    const names = Object.keys(KINDS) as KindName[];
    const property = fc.asyncProperty(
      fc.constantFrom(...names),
      fc.array(input, { minLength: 2, maxLength: MOST }),
      async (name, inputs) => {
        const document = await warmed(name, inputs.length);
        const [first, second] = [`a${++runs}z`, `b${runs}z`];
        const variables = (run: string) => variablesOf(inputs.map((one) => within(run, one)));
        const together = await compiled(document, variables(first));
        const apart = await interpreted(document, variables(second));
        if (!together) return; // a value that is none: nothing runs
        expect(shown(first, together)).toStrictEqual(shown(second, apart));
        made += Object.values(together.data ?? {}).filter(Boolean).length;
        refused += together.errors?.length ?? 0;
      },
    );
    await fc.assert(property, { ...RUNS, endOnFailure: true });
    expect(seen.compiled).toBe(documents.size);
    expect(made, 'items that were made').toBeGreaterThan(20);
    expect(refused, 'items that were refused').toBeGreaterThan(20);
  });

  it.each([
    ['share their statements where what was written is read', `{ post ${OWN} }`, true],
    ['are executed one after the other where more is read', '{ post { id author { id } } }', false],
  ])('%s', async (_, selection, shares) => {
    const { compiled } = await engines();
    const statementsOf = async (count: number) => {
      const document = documentOf('Post', count, selection);
      const inputs = Array.from({ length: count }, () => ({ title: 'One' }));
      const create = () => compiled(document, variablesOf(inputs));
      for (let times = 0; times < 3; times++) await create();
      return service().statements(create);
    };
    const [few, many] = [await statementsOf(2), await statementsOf(MOST)];
    if (shares) expect(many).toBe(few);
    else expect(many).toBeGreaterThanOrEqual(few + MOST - 2);
  });
});
