import {
  type GraphQLInputField,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
} from 'graphql';
import { Among, SAMPLES, Shown } from './samples.js';
import type { World } from './world.js';
import { lineOf, type Writing } from './writing.js';

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

/** What a round writes to a field. */
export async function sampleOf(
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
export const roundsOf = (writing: Writing, fields: readonly GraphQLInputField[]) =>
  Math.max(
    2,
    ...fields.map(({ name }) => {
      const samples = lineOf(SAMPLES, writing, name)?.value;
      return Array.isArray(samples) ? samples.length : 2;
    }),
  );

/** The fields of the inputs inside a value, such as `MediaSizeInput.url`. */
export function namesIn(type: GraphQLInputType, value: unknown): string[] {
  const taken = getNullableType(type);
  if (isListType(taken)) return (value as unknown[]).flatMap((one) => namesIn(taken.ofType, one));
  if (!isInputObjectType(taken)) return [];
  return Object.entries(value as object).flatMap(([name, one]) => [
    `${taken.name}.${name}`,
    ...namesIn((taken.getFields()[name] as GraphQLInputField).type, one),
  ]);
}

/** Whether an output shows what it should: an object may have more than that. */
export function shows(read: unknown, shown: unknown): boolean {
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
