import { setImmediate } from 'node:timers/promises';
import {
  buildSchema,
  GraphQLError,
  type GraphQLScalarType,
  type GraphQLSchema,
  isEnumType,
  isObjectType,
  type Kind,
  lexicographicSortSchema,
} from 'graphql';

const SDL = `
  scalar Moment
  enum Mood { GOOD BAD }
  interface Named { name: String! }
  interface Aged implements Named { name: String! age: Int }
  type Cat implements Named & Aged { name: String! age: Int lives(left: Int = 9): Int! owner: Person }
  type Person implements Named { name: String! cats(first: Int = 2): [Cat!]! broken: String mood: Mood }
  union Being = Cat | Person
  input Inner { a: Int = 1, b: [Int!], c: String }
  input Filter { text: String, inner: Inner, moods: [Mood], at: Moment, flag: Boolean! = true }
  type Bad {
    text: String
    error: String
    refused: String
    later: String
    needed: String!
    neededLater: String!
    empty: String!
    number: Int
    getter: String
    deeper: Bad
    deeperNeeded: Bad!
    many: [Bad!]
    some: [Bad]
  }
  type Query {
    echo(filter: Filter, ids: [Int!], mood: Mood, at: Moment, n: Int = 3, need: Int! = 4): String
    required(n: Int!): String
    say(text: String, id: ID, ids: [ID]): String
    cat: Cat
    person(late: Boolean = false): Person!
    beings(late: Boolean = false): [Being!]!
    named: [Named]
    aged: Aged
    bad: Bad
    badLater: Bad
    badNeeded: Bad!
    nothing: Person
    numbers: [Int]
    matrix: [[Int!]]
    promises: [String]
  }
  type Made { cat: Cat }
  type Mutation { step(n: Int!): String fail: String made: Made }
`;

class Cat {
  constructor(
    readonly name: string,
    readonly age: number | null = 3,
  ) {}
}
class Person {
  readonly mood = 'good';
  constructor(readonly name: string) {}
}
class Refusal extends GraphQLError {
  constructor() {
    super('You may not.', { extensions: { code: 'FORBIDDEN', param: 'x' } });
  }
}
class Bad {
  readonly text = 'text';
  readonly number = 'no number';
  constructor(private readonly depth = 3) {}
  get getter(): string {
    throw new Error('A getter fails.');
  }
  get next() {
    return this.depth > 0 ? new Bad(this.depth - 1) : null;
  }
}

const fail = (error: Error) => () => {
  throw error;
};
const later = async <T>(value: T): Promise<T> => value;
const json = (args: object) =>
  JSON.stringify(args, (_, value) => (isPlain(value) ? sorted(value) : value));
const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
const sorted = (value: object) =>
  Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));

const CATS = () => [new Cat('Tom'), new Cat('Kitty', null), new Cat('Felix')];
const BEINGS = () => [new Cat('Tom'), new Person('Ada'), new Cat('Kitty')];

/** Mutations that have begun and not ended. */
let going = 0;

const RESOLVERS: Record<string, Record<string, (source: never, args: never) => unknown>> = {
  Query: {
    echo: (_: unknown, args: object) => json(args),
    say: (_: unknown, args: object) => json(args),
    required: (_: unknown, args: object) => json(args),
    cat: () => new Cat('Tom'),
    person: (_: unknown, { late }: { late: boolean }) =>
      late ? later(new Person('Ada')) : new Person('Ada'),
    beings: (_: unknown, { late }: { late: boolean }) => (late ? later(BEINGS()) : BEINGS()),
    named: () => later([new Person('Ada'), null, new Cat('Tom')]),
    aged: () => new Cat('Tom'),
    bad: () => new Bad(),
    badLater: () => later(new Bad()),
    badNeeded: () => new Bad(),
    nothing: () => null,
    numbers: () => [1, null, 3],
    matrix: () => [[1, 2], null, []],
    promises: () => [later('a'), 'b', Promise.reject(new Error('An item fails.'))],
  },
  Mutation: {
    step: async (_: unknown, { n }: { n: number }) => {
      const seen = `begun ${n}, ${going++} going`;
      await setImmediate();
      going--;
      return seen;
    },
    fail: fail(new Refusal()),
    made: () => ({ cat: () => later(new Cat('Tom')) }),
  },
  Cat: {
    lives: (_: unknown, { left }: { left: number }) => left,
    owner: () => later(new Person('Ada')),
  },
  Person: {
    cats: (_: unknown, { first }: { first: number }) => later(CATS().slice(0, first)),
    broken: fail(new Error('It is broken.')),
  },
  Bad: {
    error: fail(new Error('It failed.')),
    refused: fail(new Refusal()),
    later: () => Promise.reject(new Refusal()),
    needed: fail(new Error('Needed.')),
    neededLater: () => Promise.reject(new Error('Needed later.')),
    empty: () => null,
    deeper: ({ next }: Bad) => later(next),
    deeperNeeded: ({ next }: Bad) => next,
    many: ({ next }: Bad) => later([next, next]),
    some: ({ next }: Bad) => [next, next, null],
  },
};

/** Returns a schema in which much goes wrong. Its scalar and its enum have inner values. */
export function smallSchema(): GraphQLSchema {
  const schema = buildSchema(SDL);
  for (const type of Object.values(schema.getTypeMap())) {
    if (isObjectType(type))
      for (const [name, resolve] of Object.entries(RESOLVERS[type.name] ?? {}))
        Object.assign(type.getFields()[name] ?? {}, { resolve });
    if (type.name === 'Cat' || type.name === 'Person')
      Object.assign(type, {
        isTypeOf: (value: unknown) => value instanceof (type.name === 'Cat' ? Cat : Person),
      });
  }
  return withInnerValues(schema);
}

function withInnerValues(schema: GraphQLSchema): GraphQLSchema {
  const mood = schema.getType('Mood');
  const moment = schema.getType('Moment') as GraphQLScalarType;
  const read = (value: unknown) => new Date(String(value));
  Object.assign(moment, {
    parseValue: read,
    parseLiteral: (node: { kind: Kind; value: string }) => read(node.value),
    serialize: (value: Date) => value.toISOString(),
  });
  for (const value of isEnumType(mood) ? mood.getValues() : [])
    Object.assign(value, { value: value.name.toLowerCase() });
  return lexicographicSortSchema(schema); // a copy, in which the enum finds its new values
}
