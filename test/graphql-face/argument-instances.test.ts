import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { printSchema } from 'graphql';
import { getMetadataStorage, type ResolverData } from 'type-graphql';
import { makeSchema } from '../../src/app/schema/schema.js';

type Field = ReturnType<typeof getMetadataStorage>['fields'][number];
/** A parameter of a resolver that is of an argument, or of all. */
interface Parameter {
  /** That of the argument; none of all. */
  readonly name?: string;
  readonly getType: Field['getType'];
  readonly resolver: (data: Pick<ResolverData, 'args'>) => unknown;
}

/** What type-graphql itself makes of arguments, which it does not export. */
interface Usual {
  convertArgToInstance(parameter: Parameter, args: object): unknown;
  convertArgsToInstance(parameter: Parameter, args: object): unknown;
}

async function usual(): Promise<Usual> {
  const main = createRequire(import.meta.url).resolve('type-graphql');
  const esm = join(dirname(main), '../esm/resolvers/convert-args.js');
  return import(pathToFileURL(esm).href);
}

const metadata = getMetadataStorage();
const VALUE = fc.constantFrom('2026-01-01', 0, 7, true, new Date(0));
const DEEPEST = 3;

/** The fields of a class of arguments or of an input, and of those that it extends. */
function fieldsOf(target: unknown): readonly Field[] {
  const all = [...metadata.inputTypes, ...metadata.argumentTypes];
  const own = all.find((one) => one.target === target)?.fields ?? [];
  return typeof target === 'function' && target.prototype
    ? [...own, ...fieldsOf(Object.getPrototypeOf(target))]
    : own;
}

/** Values of a class as they may be sent: of any field none, null, one, or a list of two. */
function valuesOf(target: unknown, depth = 0): fc.Arbitrary<unknown> {
  const fields = fieldsOf(target);
  if (fields.length === 0 || depth > DEEPEST) return VALUE;
  const entries = fields.map(({ name, getType }) => {
    const one = valuesOf(getType(), depth + 1);
    const some = fc.oneof(one, fc.constant(null), fc.tuple(one, one));
    return [name, fc.option(some, { nil: undefined, freq: depth < 1 ? 4 : 1 })];
  });
  return fc.record(Object.fromEntries(entries));
}

/** Returns a value with the names of the classes of its objects. */
const classed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(classed);
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  const fields = Object.entries(value).map(([name, one]) => [name, classed(one)]);
  return [value.constructor.name, fields];
};

describe('Arguments of resolvers', () => {
  it('are the instances that type-graphql makes, whatever is sent, in each field', async () => {
    const { convertArgToInstance, convertArgsToInstance } = await usual();
    const schema = printSchema(makeSchema());
    expect(printSchema(makeSchema()), 'built a second time').toBe(schema);
    const parameters = metadata.params.filter((one) => 'getType' in one && 'resolver' in one);
    expect(parameters.length).toBeGreaterThan(80);
    for (const parameter of parameters as unknown as Parameter[]) {
      const { name, getType, resolver } = parameter;
      const values = valuesOf(getType());
      const args = name === undefined ? values : values.map((value) => ({ [name]: value }));
      fc.assert(
        fc.property(args as fc.Arbitrary<object>, (given) => {
          const convert = name === undefined ? convertArgsToInstance : convertArgToInstance;
          const made = classed(resolver({ args: given }));
          expect(made).toStrictEqual(classed(convert(parameter, given)));
        }),
        { numRuns: 3 },
      );
    }
  });
});
