import { type GraphQLSchema, getOperationAST, isObjectType, parse, validate } from 'graphql';
import { getMetadataStorage } from 'type-graphql';
import { makeSchema } from '../../src/app/schema/schema.js';
import { refuseTooMuch } from '../../src/graphql/document-limits.js';
import { Documents } from '../../src/graphql/documents.js';
import { measure } from '../../src/graphql/measuring.js';

describe('A document that is remembered', () => {
  let schema: GraphQLSchema;
  beforeAll(() => {
    schema = makeSchema();
  });

  /** An operation, and the variables that it comes with one after the other. */
  const CASES: readonly (readonly [string, readonly object[]])[] = [
    ['{ posts(first: 3) { nodes { id } } }', [{}, { other: 1 }]],
    [
      'query($n: PageSize) { posts(first: $n) { nodes { id title { rendered } } } }',
      [{ n: 1 }, { n: 100 }, {}, { n: null }, { n: 'x' }, { n: [1] }, { n: 100 }],
    ],
    [
      'query($n: PageSize = 50, $constructor: Cursor) { posts(first: $n, after: $constructor) { nodes { id } } }',
      [{}, { n: 2 }, { n: null }, {}, { constructor: 'x' }],
    ],
    [
      'query($constructor: PageSize = 77) { posts(first: $constructor) { nodes { id } } }',
      [{ constructor: null }, {}, { constructor: 3 }, {}],
    ],
    ...Array.from(
      { length: 2 },
      () =>
        [
          'query($n: PageSize) { posts(first: $n) { nodes { id } } }',
          Array.from({ length: 20 }, (_, i) => ({ n: (i * 7) % 11 })),
        ] as const,
    ),
  ];

  for (const [query, all] of CASES)
    it(`is measured with the variables that it comes with: ${query}`, () => {
      const document = parse(query);
      const operation = getOperationAST(document);
      if (!operation) throw new Error(query);
      expect(validate(schema, document)).toStrictEqual([]);
      for (const variables of all) {
        const given = variables as Record<string, unknown>;
        const fresh = refuseTooMuch(schema, operation, document, given);
        for (let times = 0; times < 2; times++)
          expect(measure(schema, operation, document, given), JSON.stringify(given)).toStrictEqual(
            fresh,
          );
      }
    });

  it('stays although many others come once', () => {
    const documents = new Documents(schema);
    const documentOf = (text: string) => {
      const read = documents.read(text);
      if ('errors' in read) throw read.errors[0];
      return read.document;
    };
    const known = documentOf('{ __typename }');
    expect(documentOf('{ __typename }')).toBe(known);
    for (let i = 0; i < 300; i++) documentOf(`{ a${i}: __typename }`);
    expect(documentOf('{ __typename }')).toBe(known);
  });
});

it('Fields that are methods have a resolver: graphql-jit reads other fields as properties', () => {
  const schema = makeSchema();
  const methods = getMetadataStorage().objectTypes.flatMap(({ name, target }) => {
    const type = schema.getType(name);
    const fields = isObjectType(type) ? Object.values(type.getFields()) : [];
    return fields.filter(
      (field) =>
        !field.resolve && typeof descriptorOf(target.prototype, field.name)?.value === 'function',
    );
  });
  expect(methods.map(({ name }) => name)).toStrictEqual([]);
});

/** Of a property of a class or of what it extends. */
function descriptorOf(prototype: object | null, name: string): PropertyDescriptor | undefined {
  return prototype === null || prototype === Object.prototype
    ? undefined
    : (Object.getOwnPropertyDescriptor(prototype, name) ??
        descriptorOf(Object.getPrototypeOf(prototype), name));
}
