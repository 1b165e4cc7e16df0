// How the fields of other inputs than those of Create and Update are written and read again.
import {
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
} from 'graphql';
import type { Marks } from '../../../src/core/marks.js';
import { globalId } from '../../../src/core/node.js';
import {
  type Answer,
  type By,
  type Caller,
  errorCode,
  type Harness,
  mutation,
  type Sending,
} from '../../support/harness.js';
import { shows } from './values.js';
import type { World } from './world.js';

/** What a call is made in: an empty database, the service, and who calls, which `make` may say. */
export interface Stage {
  readonly service: Harness;
  readonly world: World;
  by: By;
  /** The code of the last text message. */
  readonly texted: () => string;
  /** Returns the token of a person at the provider of slot B. */
  readonly idToken: (who: string) => Promise<string>;
  /** Global id of who calls; empty for the anonymous. */
  readonly me: string;
}

/** What is sent, by the names of fields. */
export type Sent = Readonly<Record<string, unknown>>;

/** What is sent in a field, and what is then read: as `shows` compares it, or a refusal. */
export type Line = readonly [sent: unknown, shown: unknown];

/** What is read of a call that is refused: its code. */
export class Refused {
  constructor(readonly code: string) {}
}
export const refused = (code: string) => new Refused(code);

/** What a field is sent, perhaps by what there is. */
type Lines =
  | readonly Line[]
  | ((stage: Stage, sent: Sent) => readonly Line[] | Promise<readonly Line[]>);

/** A call of a mutation, and what each field of its input does. */
export interface Call {
  readonly name: string;
  /** The route of REST that makes it, such as `POST /v1/posts/{id}`. Default: GraphQL. */
  readonly route?: string;
  /** Default B. */
  readonly edition?: 'A' | 'B';
  /** The parameters of the route that are not their fields in snake case. */
  readonly params?: Readonly<Record<string, string>>;
  /** Default: an administrator. */
  readonly as?: Caller;
  /** Makes what is needed. Returns what is sent when no field is tried, which is accepted. */
  readonly make?: (stage: Stage) => Promise<Sent> | Sent;
  /** What is selected of the payload. */
  readonly shown?: string;
  /** Reads what was written. Default: the payload, or the body of REST. */
  readonly read?: (
    stage: Stage,
    sent: Sent,
    answered: Answer['body'],
  ) => Promise<unknown> | unknown;
  /** Fields that leave all as it is, as the contract says (`because`), and what they are sent. */
  readonly ignored?: Readonly<Record<string, (stage: Stage) => unknown>>;
  readonly because?: string;
  /** What each field is sent, each in a new database. */
  readonly lines?: Readonly<Record<string, Lines>>;
}

/** The input of a mutation; undefined where it has none. */
export function inputOf(schema: GraphQLSchema, name: string): GraphQLInputObjectType | undefined {
  const argument = schema.getMutationType()?.getFields()[name]?.args[0];
  const input = argument && getNamedType(argument.type);
  return isInputObjectType(input) ? input : undefined;
}

/**
 * The lines that every call has without saying so: a version that the row has not is refused, and so
 * is the id of a row that there is not.
 */
function linesOfKeys({ name, extensions, type }: GraphQLInputField): Line[] {
  if (name === 'version') return [[9_999, refused('CONFLICT')]];
  const [of] = (extensions as Marks).idOf ?? [];
  const isOne = of && !String(type).startsWith('[');
  return isOne ? [[globalId(of, 2_000_000_000), refused('')]] : [];
}

/** The fields that a call tries, by the schema that clients see. */
export function triedBy(schema: GraphQLSchema, call: Call): string[] {
  const own = [...Object.keys(call.lines ?? {}), ...Object.keys(call.ignored ?? {})];
  if (call.route) return own;
  const fields = Object.values(inputOf(schema, call.name)?.getFields() ?? {});
  return [
    ...own,
    ...fields.flatMap((field) =>
      !own.includes(field.name) && linesOfKeys(field).length > 0 ? [field.name] : [],
    ),
  ];
}

const snake = (name: string) => name.replaceAll(/[A-Z]/g, (one) => `_${one.toLowerCase()}`);

/** Sends a call. Returns what is read then, or the refusal. */
export async function sendCall(stage: Stage, call: Call, sent: Sent): Promise<unknown> {
  const { service, by } = stage;
  const answered = call.route
    ? await sendRoute(stage, call, sent)
    : await service.ask(
        mutationOf(service.app.wholeSchema, call.name, call.shown ?? '__typename'),
        { input: sent },
        by,
      );
  const code = call.route ? restCode(answered) : errorCode(answered);
  if (code) return new Refused(code);
  const body = call.route ? answered : answered.data[call.name];
  return call.read ? call.read(stage, sent, body) : body;
}

/** The text of a mutation, whose input may have another name than it. */
const mutationOf = (schema: GraphQLSchema, name: string, shown: string) =>
  mutation(name, shown).replace(/: \w+Input!/, `: ${inputOf(schema, name)?.name}!`);

const restCode = (body: Answer['body']) =>
  body?.data?.status >= 400 ? String(body.code) : undefined;

async function sendRoute({ service, by }: Stage, call: Call, sent: Sent) {
  const [method = '', path = ''] = (call.route as string).split(' ');
  const { others, ...fields } = sent;
  const given: Record<string, unknown> = { ...(others as object) };
  for (const [name, value] of Object.entries(fields))
    given[call.params?.[name] ?? snake(name)] = value;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = encodeURIComponent(String(given[name]));
    delete given[name];
    return value;
  });
  const how = method === 'DELETE' ? { query: given as Record<string, string> } : { body: given };
  const sending = { ...(by as Sending), edition: call.edition ?? 'B', ...how } as Sending;
  return (await service.rest(method, filled, sending)).body;
}

/** Codes of what was never read: the test is wrong then. */
const MISTAKES = /^(?:BAD_|GRAPHQL_)/;

/** Whether what was read is what a line says. */
export const isShown = (read: unknown, shown: unknown): boolean =>
  shown instanceof Refused
    ? read instanceof Refused && read.code.endsWith(shown.code) && !MISTAKES.test(read.code)
    : !(read instanceof Refused) && shows(read, shown);

const brief = (read: unknown) => JSON.stringify(read)?.slice(0, 800);

type Begin = () => Promise<{ readonly stage: Stage; readonly base: Sent }>;

/** Tries each field of a call. Returns what is wrong. */
export async function faultsOf(call: Call, stageOf: () => Promise<Stage>): Promise<string[]> {
  const begin = async () => {
    const stage = await stageOf();
    return { stage, base: (await call.make?.(stage)) ?? {} };
  };
  const { stage, base } = await begin();
  const { schema } = stage.service.app;
  const accepted = await sendCall(stage, call, base);
  if (accepted instanceof Refused) return [`is refused: ${accepted.code}`];
  const faults: string[] = [];
  for (const field of triedBy(schema, call))
    faults.push(
      ...(call.ignored?.[field]
        ? await faultsOfIgnored(call, field, begin, accepted)
        : await faultsOfField(call, field, begin)),
    );
  return faults;
}

/** Sends a field that leaves all as it is. */
async function faultsOfIgnored(call: Call, field: string, begin: Begin, accepted: unknown) {
  const { stage, base } = await begin();
  const read = await sendCall(stage, call, {
    ...base,
    [field]: await call.ignored?.[field]?.(stage),
  });
  const isSame = JSON.stringify(read) === JSON.stringify(accepted);
  return isSame ? [] : [`${field} is not ignored: ${brief(read)}`];
}

/** Sends a field all its values, and asks that what is read tells the first two apart. */
async function faultsOfField(call: Call, field: string, begin: Begin): Promise<string[]> {
  const own = call.lines?.[field];
  const faults: string[] = [];
  const reads: unknown[] = [];
  let lines: readonly Line[] = [];
  do {
    const { stage, base } = await begin();
    lines = own ? await linesOf(own, stage, base) : keysOf(stage, call, field);
    const [value, shown] = lines[reads.length] as Line;
    const read = await sendCall(stage, call, { ...base, [field]: value });
    reads.push(read);
    if (!isShown(read, shown))
      faults.push(`${field} was sent ${JSON.stringify(value)}, reads ${brief(read)}`);
  } while (reads.length < lines.length);
  const isAlike = own && (lines.length < 2 || isShown(reads[0], lines[1]?.[1]));
  return isAlike ? [...faults, `${field} reads alike whatever is sent`] : faults;
}

const linesOf = (lines: Lines, stage: Stage, base: Sent) =>
  typeof lines === 'function' ? lines(stage, base) : lines;

const keysOf = ({ service }: Stage, { name }: Call, field: string) =>
  linesOfKeys(inputOf(service.app.schema, name)?.getFields()[field] as GraphQLInputField);
