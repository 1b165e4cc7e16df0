import {
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isLeafType,
  isObjectType,
} from 'graphql';
import { OUTPUTS } from './samples.js';

/** A mutation that writes an input. */
export interface Writing {
  readonly name: string;
  readonly input: GraphQLInputObjectType;
  /** `Post` of `CreatePostInput`. */
  readonly noun: string;
  readonly isChange: boolean;
  /** The field of the payload that shows what was written, and its type. */
  readonly place: string;
  readonly output: GraphQLObjectType;
}

/** Finds a line of a table: of an input and its field, of a noun and its field, or of a field. */
export function lineOf<T>(
  table: Readonly<Record<string, T>>,
  { input, noun }: Writing,
  field: string,
) {
  const key = keysOf(input.name.replace(/Input$/, ''), noun, field).find((one) => one in table);
  return key === undefined ? undefined : { key, value: table[key] as T };
}

const keysOf = (input: string, noun: string, field: string) => [
  `${input}.${field}`,
  `${noun}.${field}`,
  field,
];

/** Returns the mutations whose input creates or changes something. */
export function writingsOf(schema: GraphQLSchema): Writing[] {
  const fields = Object.values(schema.getMutationType()?.getFields() ?? {});
  return fields.flatMap(({ name, args, type }) => {
    const input = args[0] && getNamedType(args[0].type);
    const [, verb, noun] = /^(Create|Update)(.+)Input$/.exec(String(input)) ?? [];
    if (!isInputObjectType(input) || !noun) return [];
    const payload = Object.values((getNamedType(type) as GraphQLObjectType).getFields());
    const rows = payload.filter((one) => isObjectType(getNamedType(one.type)));
    const named = rows.find((one) => getNamedType(one.type).name === noun) ?? rows[0];
    const output = getNamedType(named?.type) as GraphQLObjectType;
    return [{ name, input, noun, isChange: verb === 'Update', place: String(named?.name), output }];
  });
}

/** Where the output shows a field: names with dots between them; undefined when nowhere. */
export function outputOf(writing: Writing, { name, type }: GraphQLInputField): string | undefined {
  const named = lineOf(OUTPUTS, writing, name)?.value;
  if (named) return named;
  const fields = writing.output.getFields();
  const own = fields[name];
  if (own) {
    const input = getNamedType(type);
    if (isInputObjectType(input)) return `${name} { ${Object.keys(input.getFields()).join(' ')} }`;
    return isLeafType(getNamedType(own.type)) ? name : undefined;
  }
  const [, row, many] = /^(.+)Id(s?)$/.exec(name) ?? [];
  const rows = many ? [`${row}s`, `${row?.replace(/y$/, 'ie')}s`] : [row];
  const found = rows.find((one) => one !== undefined && one in fields);
  return found && `${found}.id`;
}

/** The fields of all inputs inside an input. */
export const nestedIn = (input: GraphQLInputObjectType): string[] =>
  Object.values(input.getFields()).flatMap(({ type }) => {
    const named = getNamedType(type);
    if (!isInputObjectType(named)) return [];
    const own = Object.keys(named.getFields()).map((name) => `${named.name}.${name}`);
    return [...own, ...nestedIn(named)];
  });

/** The name of a field that a part of a path selects. */
export const headOf = (path: string) => /^\w+/.exec(path)?.[0] as string;
/** The selection of a path of an output. */
export const selectionOf = (path: string) =>
  path
    .split('.')
    .reverse()
    .reduce((inner, one) => `${one} { ${inner} }`);

/** What stands at a path; of each row of a list. */
export function readAt(row: unknown, path: readonly string[]): unknown {
  const [key, ...rest] = path;
  if (key === undefined || row === null || row === undefined) return row;
  if (Array.isArray(row)) return row.map((one) => readAt(one, path));
  return readAt((row as Record<string, unknown>)[key], rest);
}
