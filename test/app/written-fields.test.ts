// What is accepted is kept: every field of every input that creates or changes something is written
// with different values and read again, or has a reason in the table not to be.
import {
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isObjectType,
} from 'graphql';
import { globalId } from '../../src/core/node.js';
import { type By, type Caller, type Harness, mutation, useService } from '../support/harness.js';
import {
  Among,
  OUTPUTS,
  ROOTS,
  RUNS,
  SAMPLES,
  Shown,
  UNREAD,
  WRITERS,
} from './written-fields/samples.js';
import { World } from './written-fields/world.js';

/** A mutation that writes an input. */
interface Writing {
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
function lineOf<T>(table: Readonly<Record<string, T>>, { input, noun }: Writing, field: string) {
  const key = keysOf(input.name.replace(/Input$/, ''), noun, field).find((one) => one in table);
  return key === undefined ? undefined : { key, value: table[key] as T };
}

const keysOf = (input: string, noun: string, field: string) => [
  `${input}.${field}`,
  `${noun}.${field}`,
  field,
];

const TEXTS: Readonly<Record<string, (field: string, n: number) => unknown>> = {
  String: (field, n) => `${field} ${'ab'[n % 2]}`,
  Int: (_, n) => 5 + n,
  Float: (_, n) => 1.5 + n,
  Boolean: (_, n) => n % 2 === 0,
  DateTime: (_, n) => `2026-02-0${1 + n}T08:00:00.000Z`,
  Duration: (_, n) => `PT${15 * (n + 1)}M`,
  EmailAddress: (_, n) => `mail-${n}@example.com`,
  LocalTime: (_, n) => `${10 + n}:30`,
  TimeZone: (_, n) => ['Europe/Vienna', 'America/New_York'][n % 2],
  URL: (field, n) => `https://cdn.example/${field}-${n}`,
  UUID: (_, n) => `00000000-0000-4000-8000-00000000000${n}`,
};

/** A value of a type, other ones in other rounds. */
function madeOf(type: GraphQLInputType, field: string, round: number): unknown {
  const taken = getNullableType(type);
  if (isListType(taken)) return [madeOf(taken.ofType, field, round)];
  if (isInputObjectType(taken))
    return Object.fromEntries(
      Object.values(taken.getFields()).map(({ name, type: of }) => [
        name,
        name in SAMPLES ? (SAMPLES[name] as unknown[])[round % 2] : madeOf(of, name, round),
      ]),
    );
  if (isEnumType(taken)) return taken.getValues().at(round % taken.getValues().length)?.name;
  const make = TEXTS[getNamedType(taken).name];
  if (!make) throw new Error(`${field}: no sample of ${getNamedType(taken).name}.`);
  return make(field, round);
}

async function sampleOf(
  world: World,
  writing: Writing,
  { name, type }: GraphQLInputField,
  round: number,
): Promise<Shown> {
  const samples = lineOf(SAMPLES, writing, name)?.value;
  const value =
    typeof samples === 'function'
      ? await samples(world, round % 2)
      : samples
        ? samples[round % samples.length]
        : madeOf(type, name, round % 2);
  return value instanceof Shown ? value : new Shown(value, value);
}

/** How often a run writes, so that every sample is written. */
const roundsOf = (writing: Writing, fields: readonly GraphQLInputField[]) =>
  Math.max(
    2,
    ...fields.map(({ name }) => {
      const samples = lineOf(SAMPLES, writing, name)?.value;
      return Array.isArray(samples) ? samples.length : 2;
    }),
  );

/** Where the output shows a field: names with dots between them; undefined when nowhere. */
function outputOf(writing: Writing, { name, type }: GraphQLInputField): string | undefined {
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

/** The fields of the inputs inside a value, such as `MediaSizeInput.url`. */
function namesIn(type: GraphQLInputType, value: unknown): string[] {
  const taken = getNullableType(type);
  if (isListType(taken)) return (value as unknown[]).flatMap((one) => namesIn(taken.ofType, one));
  if (!isInputObjectType(taken)) return [];
  return Object.entries(value as object).flatMap(([name, one]) => [
    `${taken.name}.${name}`,
    ...namesIn((taken.getFields()[name] as GraphQLInputField).type, one),
  ]);
}

/** The fields of all inputs inside an input. */
const nestedIn = (input: GraphQLInputObjectType): string[] =>
  Object.values(input.getFields()).flatMap(({ type }) => {
    const named = getNamedType(type);
    if (!isInputObjectType(named)) return [];
    const own = Object.keys(named.getFields()).map((name) => `${named.name}.${name}`);
    return [...own, ...nestedIn(named)];
  });

const headOf = (path: string) => /^\w+/.exec(path)?.[0] as string;
const selectionOf = (path: string) =>
  path
    .split('.')
    .reverse()
    .reduce((inner, one) => `${one} { ${inner} }`);

function readAt(row: unknown, path: readonly string[]): unknown {
  const [key, ...rest] = path;
  if (key === undefined || row === null || row === undefined) return row;
  if (Array.isArray(row)) return row.map((one) => readAt(one, path));
  return readAt((row as Record<string, unknown>)[key], rest);
}

/** Whether an output shows what it should: an object may have more than that. */
function shows(read: unknown, shown: unknown): boolean {
  if (shown instanceof Among)
    return Array.isArray(read) && shown.rows.every((one) => read.some((row) => shows(row, one)));
  if (shown instanceof RegExp) return typeof read === 'string' && shown.test(read);
  if (Array.isArray(shown))
    return (
      Array.isArray(read) &&
      read.length === shown.length &&
      shown.every((one, i) => shows(read[i], one))
    );
  if (typeof shown === 'object' && shown !== null)
    return (
      typeof read === 'object' &&
      Object.entries(shown).every(([key, one]) =>
        shows((read as Record<string, unknown> | null)?.[key], one),
      )
    );
  return read === shown;
}

describe('Every input that creates or changes something', () => {
  const service = useService();

  function writingsOf(harness: Harness): Writing[] {
    const fields = Object.values(harness.app.schema.getMutationType()?.getFields() ?? {});
    return fields.flatMap(({ name, args, type }) => {
      const input = args[0] && getNamedType(args[0].type);
      const [, verb, noun] = /^(Create|Update)(.+)Input$/.exec(String(input)) ?? [];
      if (!isInputObjectType(input) || !noun) return [];
      const payload = Object.values((getNamedType(type) as GraphQLObjectType).getFields());
      const rows = payload.filter((one) => isObjectType(getNamedType(one.type)));
      const named = rows.find((one) => getNamedType(one.type).name === noun) ?? rows[0];
      const output = getNamedType(named?.type) as GraphQLObjectType;
      return [
        { name, input, noun, isChange: verb === 'Update', place: String(named?.name), output },
      ];
    });
  }

  const signedIn = async (as: Caller) => {
    if (as === 'anonymous') return { by: 'anonymous' as By, id: '' };
    const { id } = await service().account(as);
    return { by: { headers: await service().session(as) } as By, id: globalId('Account', id) };
  };

  /** Writes an input once. Returns the id of what it wrote, as far as it has one, and its payload. */
  class Run {
    constructor(
      readonly world: World,
      readonly writing: Writing,
      readonly left: readonly string[],
      readonly by: By,
    ) {}

    get fields(): GraphQLInputField[] {
      return Object.values(this.writing.input.getFields()).filter(
        ({ name }) => !this.left.includes(name),
      );
    }

    get read(): (GraphQLInputField & { path: string })[] {
      return this.fields.flatMap((field) => {
        const path = lineOf(UNREAD, this.writing, field.name)
          ? undefined
          : outputOf(this.writing, field);
        return path ? [{ ...field, path }] : [];
      });
    }

    /** Writes what a round writes, into the row or a new one. Returns what was sent, and shown. */
    async write(round: number, own: Record<string, unknown> = {}) {
      const { name, place, output } = this.writing;
      const samples = new Map<string, Shown>();
      for (const field of this.fields)
        if (field.name !== 'version' && !(field.name in own))
          samples.set(field.name, await sampleOf(this.world, this.writing, field, round));
      const sent = [...samples].map(([field, sample]) => [field, sample.sent]);
      const version = await this.version(own.id);
      const input = { ...Object.fromEntries(sent), ...own, ...version };
      const selected = this.read.map(({ name: field, path }) => {
        const [head = '', ...rest] = [path];
        return `${field}: ${selectionOf([head, ...rest].join('.'))}`;
      });
      const id = output.getFields().id ? 'writtenId: id' : '';
      const all = `${id} ${selected.join(' ')}`;
      const payload = (
        await this.world.ask(mutation(name, `${place} { ${all} }`), { input }, this.by)
      )[name][place];
      return { samples, row: await this.again(payload, all, input) };
    }

    /** The version that a change is based on: of the row, or of the model that it is a part of. */
    async version(id: unknown): Promise<object> {
      if (!('version' in this.writing.input.getFields())) return {};
      const isPart = /^Model(Field|Group)$/.test(this.writing.noun);
      const type = isPart ? 'Model' : this.writing.output.name;
      const query = `query($id: ID!) { node(id: $id) { ... on ${type} { version } } }`;
      const at = isPart ? await this.world.model(0) : id;
      return { version: (await this.world.ask(query, { id: at }, this.by)).node.version };
    }

    /** Reads again what was written. */
    async again(payload: Record<string, unknown>, all: string, input: Record<string, unknown>) {
      const { noun, output } = this.writing;
      const root = ROOTS[noun];
      if (root) {
        const query = root.includes('$') ? 'query($memberId: ID)' : '';
        const { row } = await this.world.ask(
          `${query} { row: ${root} { ${all} } }`,
          { memberId: input.memberId },
          this.by,
        );
        return row;
      }
      if (!payload.writtenId || this.by === 'anonymous') return payload;
      const query = `query($id: ID!) { node(id: $id) { ... on ${output.name} { ${all} } } }`;
      return (await this.world.ask(query, { id: payload.writtenId }, this.by)).node;
    }
  }

  it('keeps every field that it accepts, or says why it is not read again', async () => {
    const writings = writingsOf(service());
    const faults: string[] = [];
    const used = new Set<string>();
    const sentFields = new Set<string>();
    let kept = 0;
    for (const writing of writings) {
      const { input, noun, isChange } = writing;
      const seen = new Map<string, Set<string>>();
      const creating = writings.find((one) => one.noun === noun && !one.isChange);
      for (const left of RUNS[noun] ?? [[]]) {
        await service().clean();
        service().at('2026-03-01T08:00:00Z');
        const { by: administrator, id: own } = await signedIn('administrator');
        const world = new World(service(), administrator, own);
        const { by } = await signedIn(WRITERS[noun] ?? 'administrator');
        const run = new Run(world, writing, left, by);
        if (run.read.length === 0) continue;
        let id: string | undefined;
        for (let round = 0; round < roundsOf(writing, run.fields); round++) {
          try {
            if (isChange && 'id' in input.getFields() && !id && creating) {
              const { row } = await new Run(world, creating, left, by).write(1);
              id = String(row.writtenId);
            }
            const { samples, row } = await run.write(round, id ? { id } : {});
            for (const { name, path, type } of run.read) {
              const sample = samples.get(name) as Shown;
              const parts = path.split('.').map(headOf).slice(1);
              const read = readAt(row?.[name], parts);
              if (shows(read, sample.shown)) {
                for (const one of namesIn(type, sample.sent)) sentFields.add(one);
                seen.set(name, (seen.get(name) ?? new Set()).add(JSON.stringify(sample.sent)));
              } else
                faults.push(
                  `${input.name}.${name}: sent ${JSON.stringify(sample.sent)}, read ${JSON.stringify(read)}`,
                );
            }
          } catch (error) {
            faults.push(`${input.name} is refused: ${(error as Error).message.slice(0, 400)}`);
            break;
          }
        }
      }
      for (const field of Object.values(input.getFields())) {
        const reason = lineOf(UNREAD, writing, field.name);
        if (reason) used.add(reason.key);
        else if (!outputOf(writing, field))
          faults.push(`${input.name}.${field.name} is shown nowhere.`);
        else if ((seen.get(field.name)?.size ?? 0) < 2)
          faults.push(`${input.name}.${field.name} is not written with two values.`);
        else kept++;
      }
    }
    const inner = new Set(writings.flatMap(({ input }) => nestedIn(input)));
    for (const name of inner) if (!sentFields.has(name)) faults.push(`${name} is not written.`);
    for (const key of Object.keys(UNREAD)) if (!used.has(key)) faults.push(`No field is ${key}.`);
    expect(faults).toStrictEqual([]);
    expect(kept).toBeGreaterThan(280);
  }, 120_000);
});
