import {
  type GraphQLField,
  getNamedType,
  getNullableType,
  getOperationAST,
  isInterfaceType,
  isListType,
  isObjectType,
  type OperationDefinitionNode,
  parse,
} from 'graphql';
import { makeSchema } from '../../src/app/schema/schema.js';
import { rowsOf } from '../../src/core/cost.js';
import { refuseTooMuch } from '../../src/graphql/document-limits.js';
import { Documents } from '../../src/graphql/documents.js';

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
  const operation = getOperationAST(document) as OperationDefinitionNode;
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
        expect(
          rowsOf(field),
          `${name} says by @Rows how many rows come without first`,
        ).toBeTruthy();
      if (paged(field) || rowsOf(field) || !isListType(getNullableType(field.type))) continue;
      const users = fields.filter((user) => getNamedType(user.field.type) === type);
      const isConnection = users.length > 0 && users.every((user) => paged(user.field));
      expect(
        isConnection,
        `${name} says by @Rows how many entries it holds, or is a list of a connection`,
      ).toBe(true);
    }
  });

  it('counts a field once for every row, by first, by a variable, by its default, and else by the default of the list', () => {
    const ids = (args: string) => `posts${args} { nodes { id slug } }`;
    expect(cost(`{ ${ids('(first: 7)')} }`)).toBe(2 + 7 * 2);
    expect(cost(`query($n: Int) { ${ids('(first: $n)')} }`, { n: 7 })).toBe(2 + 7 * 2);
    expect(cost(`query($n: Int = 9) { ${ids('(first: $n)')} }`)).toBe(2 + 9 * 2);
    expect(cost(`query($n: Int) { ${ids('(first: $n)')} }`)).toBe(2 + 10 * 2);
    expect(cost(`{ ${ids('')} }`)).toBe(2 + 10 * 2);
    expect(
      cost(`{ medicineReminders { nodes { id } } }`),
      'whose default is the largest page',
    ).toBe(2 + 100);
  });

  it('counts the contents that excerpts of more than the stored words are made of', () => {
    const excerpts = (args: string) => `posts(first: 100) { nodes { excerpt${args} } }`;
    const usual = cost(`{ ${excerpts('')} }`) as number;
    expect(cost(`{ ${excerpts('(words: 55)')} }`)).toBe(usual);
    expect(cost(`{ ${excerpts('(words: 56)')} }`)).toBe(usual + 100 * 110);
    expect(cost(`query($n: Int = 56) { ${excerpts('(words: $n)')} }`)).toBe(usual + 100 * 110);
    const four = ['a', 'b', 'c', 'd'].map((name) => `${name}: ${excerpts('(words: 1000)')}`);
    expect(cost(`{ ${four.join(' ')} }`)).toBe('DOCUMENT_TOO_LARGE');
  });

  it('counts lists within lists, edges like nodes, and a list by the argument that it is as long as', () => {
    expect(cost('{ posts(first: 5) { edges { node { terms { name slug } } } } }')).toBe(
      2 + 5 * (1 + 1 + 10 * 2),
    );
    expect(cost('{ memberHomes(memberIds: [1, 2, 3]) { version } }')).toBe(1 + 3);
  });

  it('counts __typename, fragments and what they spread, and a fragment that is spread twice in one place once', () => {
    expect(cost('{ posts(first: 5) { nodes { __typename } } }')).toBe(2 + 5);
    const fragments = 'fragment A on Post { ...B date } fragment B on Post { id slug }';
    expect(
      cost(`{ posts(first: 5) { nodes { ...A ...B ... on Post { type } } } } ${fragments}`),
    ).toBe(2 + 5 * 4);
  });

  it('weighs texts: content costs more than an id', () => {
    const of = (selection: string) => Number(cost(`{ post(id: 1) { ${selection} } }`));
    expect(of('content')).toBeGreaterThan(10 * of('id'));
    expect(of('content')).toBeGreaterThan(of('excerpt'));
  });

  it('counts introspection by the size of the schema, in which the query of tools is not too much', async () => {
    const { getIntrospectionQuery } = await import('graphql');
    const types = Object.keys(schema.getTypeMap()).length;
    expect(cost('{ __schema { types { name } } }')).toBe(2 + types);
    expect(Number(cost(getIntrospectionQuery()))).toBeGreaterThan(10 * types);
  });

  it('refuses what costs too much or has too many fields at the root', () => {
    expect(
      cost(
        '{ posts(first: 100) { nodes { a: content b: contentSource c: content d: contentSource } } }',
      ),
    ).toBe('DOCUMENT_TOO_LARGE');
    const roots = (count: number) =>
      `{ ${Array.from({ length: count }, (_, i) => `r${i}: site { title }`).join(' ')} }`;
    expect(cost(roots(11))).toBe('DOCUMENT_TOO_LARGE');
    expect(cost(roots(10))).toBe(20);
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
    'many aliases of one field': `{ posts { nodes { ${list(300, (i) => `a${i}: content`)} } } }`,
    'aliases of one field in fragments': `{ posts { nodes { ${list(11, (i) => `...F${i}`)} } } }
      ${list(11, (i) => `fragment F${i} on Post { a${i}: content }`)}`,
    'more fragments than anybody writes': `{ posts { nodes { id } } } ${list(101, (i) => `fragment F${i} on Post { id }`)}`,
    'fields deep below each other': `{ pages { nodes { ${'parent { '.repeat(20)} id ${'}'.repeat(20)} } } }`,
  };
  for (const [name, text] of Object.entries(HOSTILE)) {
    it(`is refused at once, before it is validated: ${name}`, () => {
      expect(codes(text)).toStrictEqual(['DOCUMENT_TOO_LARGE']);
      expect(codes(`${text} fragment X on Nothing { y }`)).toStrictEqual(['DOCUMENT_TOO_LARGE']);
      expect(milliseconds(text)).toBeLessThan(300);
    });
  }

  it('has at most 2,000 words and signs', () => {
    const signs = (count: number) => `{ post(id: [${'1 '.repeat(count)}]) { id } }`;
    expect(codes(signs(1_900))).toStrictEqual(['GRAPHQL_VALIDATION_FAILED']);
    expect(codes(signs(2_000))).toStrictEqual(['GRAPHQL_PARSE_FAILED']);
  });

  it('of many mistakes is told the first twenty', () => {
    const read = documents.read(`{ ${list(900, (i) => `nonsense${i}`)} }`);
    expect('errors' in read && read.errors.length <= 21).toBe(true);
  });

  it('may hold fragments that hold each other without end, which is a mistake and no loop', () => {
    const circle = 'fragment A on Page { parent { ...B } } fragment B on Page { parent { ...A } }';
    expect(codes(`{ pages { nodes { ...A } } } ${circle}`)).toStrictEqual([
      'GRAPHQL_VALIDATION_FAILED',
    ]);
  });

  it('of usual size passes: many fragments that ask for the same, a field under several names', () => {
    const fragments = list(30, (i) => `fragment F${i} on Post { id title }`);
    expect(
      codes(
        `{ posts { nodes { ${list(30, (i) => `...F${i}`)} a: terms(taxonomy: TAG) { id } } } } ${fragments}`,
      ),
    ).toStrictEqual([]);
  });

  it('is read once and then known by its text', () => {
    const text = '{ posts { nodes { id } } }';
    const [first, second] = [documents.read(text), documents.read(text)];
    expect('document' in first && 'document' in second && first.document === second.document).toBe(
      true,
    );
  });
});
