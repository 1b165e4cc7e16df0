import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type GraphQLField,
  getNamedType,
  getNullableType,
  getOperationAST,
  isInterfaceType,
  isListType,
  isObjectType,
  parse,
} from 'graphql';
import { makeSchema } from '../../src/app/schema.js';
import { rowsOf } from '../../src/core/cost.js';
import { Documents } from '../../src/graphql/documents.js';
import { refuseTooMuch } from '../../src/graphql/limits.js';

const schema = makeSchema();
type Field = GraphQLField<unknown, unknown>;
const fields = Object.values(schema.getTypeMap()).flatMap((type) =>
  (isObjectType(type) || isInterfaceType(type)) && !type.name.startsWith('__')
    ? Object.values(type.getFields()).map((field) => ({
        name: `${type.name}.${field.name}`,
        type,
        field,
      }))
    : [],
);
const paged = ({ args }: Field) => args.some(({ name }) => name === 'first');

/** What a document costs, or the code of its refusal. */
function cost(text: string, variables = {}): number | string {
  const document = parse(text);
  const operation = getOperationAST(document);
  assert.ok(operation);
  try {
    return refuseTooMuch(schema, operation, document, variables).cost;
  } catch (error) {
    return String((error as { extensions: { code: string } }).extensions.code);
  }
}

describe('The cost of a document', () => {
  it('finds a bound of every list of the schema', () => {
    for (const { name, type, field } of fields) {
      if (paged(field))
        assert.ok(rowsOf(field), `${name} says by @Rows how many rows come without first`);
      if (paged(field) || rowsOf(field) || !isListType(getNullableType(field.type))) continue;
      const users = fields.filter((user) => getNamedType(user.field.type) === type);
      const isConnection = users.length > 0 && users.every((user) => paged(user.field));
      assert.ok(
        isConnection,
        `${name} says by @Rows how many entries it holds, or is a list of a connection`,
      );
    }
  });

  it('counts a field once for every row, by first, by a variable, by its default, and else by the default of the list', () => {
    const ids = (args: string) => `posts${args} { nodes { id slug } }`;
    assert.equal(cost(`{ ${ids('(first: 7)')} }`), 2 + 7 * 2);
    assert.equal(cost(`query($n: PageSize) { ${ids('(first: $n)')} }`, { n: 7 }), 2 + 7 * 2);
    assert.equal(cost(`query($n: PageSize = 9) { ${ids('(first: $n)')} }`), 2 + 9 * 2);
    assert.equal(cost(`query($n: PageSize) { ${ids('(first: $n)')} }`), 2 + 10 * 2);
    assert.equal(cost(`{ ${ids('')} }`), 2 + 10 * 2);
    assert.equal(
      cost(`{ medicineReminders { nodes { id } } }`),
      2 + 100,
      'whose default is the largest page',
    );
  });

  it('counts the contents that excerpts of more than the stored words are made of', () => {
    const excerpts = (args: string) =>
      `posts(first: 100${args}) { nodes { excerpt { rendered } } }`;
    const usual = cost(`{ ${excerpts('')} }`) as number;
    assert.equal(cost(`{ ${excerpts(', excerptLength: 55')} }`), usual);
    assert.equal(cost(`{ ${excerpts(', excerptLength: 56')} }`), usual + 100 * 110);
    assert.equal(
      cost(`query($n: Int = 56) { ${excerpts(', excerptLength: $n')} }`),
      usual + 100 * 110,
    );
    const four = ['a', 'b', 'c', 'd'].map(
      (name) => `${name}: ${excerpts(', excerptLength: 1000')}`,
    );
    assert.equal(cost(`{ ${four.join(' ')} }`), 'DOCUMENT_TOO_LARGE');
  });

  it('counts lists within lists, edges like nodes, and a list by the argument that it is as long as', () => {
    assert.equal(
      cost('{ posts(first: 5) { edges { node { terms { name slug } } } } }'),
      2 + 5 * (1 + 1 + 10 * 2),
    );
    assert.equal(cost('{ memberHomes(memberIds: [1, 2, 3]) { memberId } }'), 1 + 3);
  });

  it('counts __typename, fragments and what they spread, and a fragment that is spread twice in one place once', () => {
    assert.equal(cost('{ posts(first: 5) { nodes { __typename } } }'), 2 + 5);
    const fragments = 'fragment A on Post { ...B date } fragment B on Post { id slug }';
    assert.equal(
      cost(`{ posts(first: 5) { nodes { ...A ...B ... on Post { type } } } } ${fragments}`),
      2 + 5 * 4,
    );
  });

  it('weighs texts: a content is dearer than an id', () => {
    const of = (selection: string) => Number(cost(`{ post(id: 1) { ${selection} } }`));
    assert.ok(of('content { rendered }') > 10 * of('id'));
    assert.ok(of('content { rendered }') > of('excerpt { rendered }'));
  });

  it('counts introspection by the size of the schema, in which the query of tools is not too much', async () => {
    const { getIntrospectionQuery } = await import('graphql');
    const types = Object.keys(schema.getTypeMap()).length;
    assert.equal(cost('{ __schema { types { name } } }'), 2 + types);
    assert.ok(Number(cost(getIntrospectionQuery())) > 10 * types);
  });

  it('refuses what is too dear or has too many fields at the root', () => {
    assert.equal(
      cost(
        '{ posts(first: 100) { nodes { a: content { rendered } b: content { raw } c: content { ' +
          'rendered } d: content { raw } } } }',
      ),
      'DOCUMENT_TOO_LARGE',
    );
    const roots = (count: number) =>
      `{ ${Array.from({ length: count }, (_, i) => `r${i}: site { title }`).join(' ')} }`;
    assert.equal(cost(roots(11)), 'DOCUMENT_TOO_LARGE');
    assert.equal(cost(roots(10)), 20);
  });
});

describe('A document', () => {
  const documents = new Documents(schema);
  const list = (count: number, item: (i: number) => string) =>
    Array.from({ length: count }, (_, i) => item(i)).join(' ');
  const codes = (text: string) => {
    const read = documents.read(text);
    return 'errors' in read
      ? [...new Set(read.errors.map(({ extensions }) => extensions.code))]
      : [];
  };
  /**
   * CPU that reading takes, in milliseconds: all documents below have the same length, give or
   * take.
   */
  const milliseconds = (text: string) => {
    const before = process.cpuUsage();
    documents.read(text);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };

  const HOSTILE: Readonly<Record<string, string>> = {
    'fragments that spread the next one twice': `{ posts { nodes { ...F0 } } }
      ${list(90, (i) => `fragment F${i} on Post { ...F${i + 1} ...F${i + 1} }`)} fragment F90 on Post { id }`,
    'fragments that spread the next one below two fields': `{ pages { nodes { ...F0 } } }
      ${list(10, (i) => `fragment F${i} on Page { a: parent { ...F${i + 1} } b: parent { ...F${i + 1} } }`)} fragment F10 on Page { id }`,
    'a thousand times the same field': `{ posts { nodes { ${'id '.repeat(1_000)} } } }`,
    'a hundred times the same field with arguments': `{ ${'posts(first: 1, page: 1) { totalCount } '.repeat(100)} }`,
    'many aliases of one field': `{ posts { nodes { ${list(300, (i) => `a${i}: content { rendered }`)} } } }`,
    'aliases of one field in fragments': `{ posts { nodes { ${list(11, (i) => `...F${i}`)} } } }
      ${list(11, (i) => `fragment F${i} on Post { a${i}: content { rendered } }`)}`,
    'more fragments than anybody writes': `{ posts { nodes { id } } } ${list(101, (i) => `fragment F${i} on Post { id }`)}`,
    'fields deep below each other': `{ pages { nodes { ${'parent { '.repeat(20)} id ${'}'.repeat(20)} } } }`,
  };
  for (const [name, text] of Object.entries(HOSTILE)) {
    it(`is refused at once, before it is validated: ${name}`, () => {
      assert.deepEqual(codes(text), ['DOCUMENT_TOO_LARGE']);
      assert.deepEqual(codes(`${text} fragment X on Nothing { y }`), ['DOCUMENT_TOO_LARGE']);
      assert.ok(milliseconds(text) < 300);
    });
  }

  it('has at most 2,000 words and signs', () => {
    const signs = (count: number) => `{ post(id: [${'1 '.repeat(count)}]) { id } }`;
    assert.deepEqual(codes(signs(1_900)), ['GRAPHQL_VALIDATION_FAILED']);
    assert.deepEqual(codes(signs(2_000)), ['GRAPHQL_PARSE_FAILED']);
  });

  it('of many mistakes is told the first twenty', () => {
    const read = documents.read(`{ ${list(900, (i) => `nonsense${i}`)} }`);
    assert.ok('errors' in read && read.errors.length <= 21);
  });

  it('may hold fragments that hold each other without end, which is a mistake and no loop', () => {
    const circle = 'fragment A on Page { parent { ...B } } fragment B on Page { parent { ...A } }';
    assert.deepEqual(codes(`{ pages { nodes { ...A } } } ${circle}`), [
      'GRAPHQL_VALIDATION_FAILED',
    ]);
  });

  it('of usual size passes: many fragments that ask for the same, a field under several names', () => {
    const fragments = list(30, (i) => `fragment F${i} on Post { id title { rendered } }`);
    assert.deepEqual(
      codes(
        `{ posts { nodes { ${list(30, (i) => `...F${i}`)} a: terms(taxonomy: TAG) { id } } } } ${fragments}`,
      ),
      [],
    );
  });

  it('is read once and then known by its text', () => {
    const text = '{ posts { nodes { id } } }';
    const [first, second] = [documents.read(text), documents.read(text)];
    assert.ok('document' in first && 'document' in second && first.document === second.document);
  });
});
