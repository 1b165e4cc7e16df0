// GraphQL documents over the printed schema: fields and arguments that exist, values that fit or do
// not, and texts with holes.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import {
  buildSchema,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLOutputType,
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import type { Wire } from './rest.js';
import { type Draw, fittingName, hostile, pick } from './values.js';

const schema = buildSchema(
  readFileSync(new URL('../../../schema/schema.graphql', import.meta.url), 'utf8'),
);
const ROOTS = {
  query: schema.getQueryType(),
  mutation: schema.getMutationType(),
  subscription: schema.getSubscriptionType(),
};
/** Reads more often than writes, writes more often than subscriptions. */
const KINDS = ['query', 'query', 'query', 'mutation', 'mutation', 'subscription'] as const;
/** Sign a caller out or erase it, so that nothing that follows would be let in. */
const ENDING = /^(eraseMyAccount|signOut|logout|endSession|endOtherSessions|changePassword)$/;

class Writer {
  readonly variables: Record<string, unknown> = {};
  readonly declared: string[] = [];
  readonly fragments: string[] = [];
  #fields = 0;

  /** `tame`: every value fits its type as far as that says. */
  constructor(
    private readonly draw: Draw,
    private readonly tame = false,
  ) {}

  /** A selection of a type; at most some 60 fields in all. */
  selection(type: GraphQLOutputType, depth: number): string {
    const named = getNamedType(type);
    if (isLeafType(named)) return '';
    if (isAbstractType(named)) {
      const possible = pick(this.draw, schema.getPossibleTypes(named)) as GraphQLOutputType;
      return ` { __typename ... on ${getNamedType(possible).name}${this.selection(possible, depth)} }`;
    }
    if (!isObjectType(named)) return '';
    const all = Object.values(named.getFields()).filter(
      ({ type }) => depth > 0 || isLeafType(getNamedType(type)),
    );
    const chosen = this.#fields > 60 ? [] : all.filter(() => this.draw(fc.nat, 5) === 0);
    this.#fields += chosen.length;
    const shown = chosen.map((field) => this.field(field, depth - 1));
    if (this.draw(fc.nat, 9) > 0 || named.name === 'Query')
      return ` { ${['__typename', ...shown].join(' ')} }`;
    const name = `F${this.fragments.length}`;
    this.fragments.push(
      `fragment ${name} on ${named.name} { ${['__typename', ...shown].join(' ')} }`,
    );
    return ` { ...${name} ...${name} }`;
  }

  field(field: GraphQLField<unknown, unknown>, depth: number): string {
    const given = field.args.filter(
      ({ type }) => isNonNullType(type) || this.draw(fc.nat, 2) === 0,
    );
    const args = given.map(({ name, type }) => `${name}: ${this.value(type, depth)}`);
    const alias = !this.tame && this.draw(fc.nat, 9) === 0 ? `a${this.draw(fc.nat, 99)}: ` : '';
    const directive = this.draw(fc.nat, 19) === 0 ? ` @include(if: ${this.draw(fc.boolean)})` : '';
    return `${alias}${field.name}${args.length > 0 ? `(${args.join(', ')})` : ''}${directive}${this.selection(field.type, depth)}`;
  }

  /** An argument's value, inline or as a variable. */
  value(type: GraphQLInputType, depth: number): string {
    if (this.draw(fc.nat, 2) === 0) return this.literal(type, depth);
    const name = `v${this.declared.length}`;
    this.declared.push(`$${name}: ${type}`);
    if (this.tame || this.draw(fc.nat, 19) > 0)
      this.variables[name] =
        !this.tame && this.draw(fc.nat, 14) === 0 ? hostile(this.draw) : this.plain(type, 3);
    return `$${name}`;
  }

  literal(type: GraphQLInputType, depth: number): string {
    const value = this.plain(type, Math.max(0, depth));
    return literalOf(value, type);
  }

  /** A value that mostly fits. */
  plain(type: GraphQLInputType, depth: number): unknown {
    if (isNonNullType(type)) return this.plain(type.ofType, depth);
    if (isListType(type))
      return Array.from({ length: this.draw(fc.nat, 3) }, () => this.plain(type.ofType, depth));
    if (isEnumType(type))
      return pick(
        this.draw,
        type.getValues().map(({ name }) => name),
      );
    if (isInputObjectType(type)) {
      const fields = Object.values(type.getFields()).filter(
        ({ type: of }) => isNonNullType(of) || (depth > 0 && this.draw(fc.nat, 2) === 0),
      );
      return Object.fromEntries(
        fields.map((field) => [field.name, this.plain(field.type, depth - 1)]),
      );
    }
    if (!this.tame && this.draw(fc.nat, 14) === 0) return hostile(this.draw);
    if (this.tame && type.name in FITTING) return FITTING[type.name];
    if (type.name === 'Int' || type.name === 'ID') return this.draw(fc.nat, 40);
    if (type.name === 'Boolean') return this.draw(fc.boolean);
    return fittingName(this.draw, type.name) ?? this.draw(fc.lorem);
  }
}

/** Values of scalars that otherwise mostly do not fit. */
const FITTING: Readonly<Record<string, string>> = {
  LocalDate: '2026-03-01',
  DateTime: '2026-03-01T08:00:00Z',
};

function literalOf(value: unknown, type: GraphQLInputType): string {
  const inner = isNonNullType(type) ? type.ofType : type;
  if (value === null || value === undefined) return 'null';
  if (isEnumType(inner) && typeof value === 'string' && /^\w+$/.test(value)) return value;
  if (Array.isArray(value))
    return `[${value.map((item) => literalOf(item, isListType(inner) ? inner.ofType : inner)).join(', ')}]`;
  if (typeof value === 'object') {
    const fields = isInputObjectType(inner) ? inner.getFields() : {};
    const entries = Object.entries(value).filter(([name]) => /^[A-Za-z_]\w*$/.test(name));
    return `{${entries.map(([name, item]) => `${name}: ${literalOf(item, fields[name]?.type ?? inner)}`).join(', ')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}

/**
 * Draws a request to /graphql: one operation of up to `roots` root fields, now and then with a hole in its text or with other
 * keys beside it.
 */
export function graphqlRequest(draw: Draw, roots = 3): Wire {
  const kind = pick(draw, KINDS);
  const root = ROOTS[kind];
  const fields = Object.values(root?.getFields() ?? {}).filter(({ name }) => !ENDING.test(name));
  const writer = new Writer(draw);
  const body = Array.from(
    { length: 1 + draw(fc.nat, roots - 1) },
    (_, i) => `r${i}: ${writer.field(pick(draw, fields), 4)}`,
  ).join(' ');
  const declared = writer.declared.length > 0 ? `(${writer.declared.join(', ')})` : '';
  let query = `${kind} Fuzz${declared} { ${body} } ${writer.fragments.join(' ')}`;
  if (draw(fc.nat, 9) === 0) {
    const at = draw(fc.nat, query.length);
    query =
      query.slice(0, at) +
      pick(draw, ['', '{', '}', '"', '"""', '...', '$', '@x', '\u0000', '#']) +
      query.slice(at + draw(fc.nat, 9));
  }
  const asked = {
    query,
    variables: draw(fc.nat, 19) === 0 ? hostile(draw) : writer.variables,
    ...(draw(fc.nat, 19) === 0 && { operationName: hostile(draw) }),
  };
  const headers = {
    'content-type': 'application/json',
    ...(draw(fc.nat, 9) === 0 && { 'Idempotency-Key': `key-${draw(fc.nat, 99)}` }),
  };
  return {
    method: 'POST',
    path: '/graphql',
    headers,
    body: JSON.stringify(draw(fc.nat, 49) === 0 ? hostile(draw) : asked),
  };
}

/** Draws a query of one to six root fields, half of them reports and what else writes while it reads. */
export function manyRoots(draw: Draw): { query: string; variables: Record<string, unknown> } {
  const fields = Object.values(ROOTS.query?.getFields() ?? {});
  const writing = fields.filter(({ name }) => /[rR]eport$|Submission|audit/.test(name));
  const writer = new Writer(draw, true);
  const body = Array.from({ length: 1 + draw(fc.nat, 5) }, (_, i) => {
    const field = pick(draw, draw(fc.boolean) ? writing : fields);
    return `r${i}: ${writer.field(field, 3)}`;
  }).join(' ');
  const declared = writer.declared.length > 0 ? `(${writer.declared.join(', ')})` : '';
  const query = `query Roots${declared} { ${body} } ${writer.fragments.join(' ')}`;
  return { query, variables: writer.variables };
}
