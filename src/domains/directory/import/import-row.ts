import type { GraphQLScalarType } from 'graphql';
import { boundsOf } from '../../../core/scalars/scalar.js';
import {
  Email,
  LanguageTag,
  LongText,
  ShortText,
  Text,
  TimeZone,
  WebAddress,
} from '../../../core/scalars.js';
import { internationalPhone } from '../../../platform/phone.js';
import { Accessibility, MOST } from '../service/healthcare-service.types.js';
import type { ServiceColumns } from '../service/service-row.service.js';
import { parseHours } from './hours-text.js';

/** What is wrong with a field. */
export class FieldProblem extends Error {}

/** Finds a type by its name, or by its path. Undefined when there is none, or several. */
export type FindType = (path: string) => number | undefined;

type Reader = (text: string, find: FindType) => Partial<ServiceColumns>;

/** Reads a text by a scalar of the schema; undefined for an empty one. */
function read(type: GraphQLScalarType, text: string): string | undefined {
  if (text === '') return undefined;
  const bounds = boundsOf(type);
  const found = bounds?.read(text);
  if (!found || 'validationError' in found) throw new FieldProblem(`must be ${bounds?.expected}`);
  return found.value as string;
}

/** Reads a list whose entries are parted by bars, each entry once. */
function list<T>(text: string, most: number, entry: (text: string) => T): T[] {
  const parts = text.split('|').map((part) => part.trim());
  const entries = [...new Set(parts.filter(Boolean).map(entry))];
  if (entries.length > most) throw new FieldProblem(`must have at most ${most} entries`);
  return entries;
}

function degrees(text: string, most: number): number | null {
  if (text === '') return null;
  const number = Number(text);
  if (!/^[+-]?\d{1,3}(\.\d{1,15})?$/.test(text) || Math.abs(number) > most)
    throw new FieldProblem(`must be a number of -${most} to ${most}`);
  return number;
}

/** How the columns of a CSV are read, by their names. */
export const COLUMNS: Readonly<Record<string, Reader>> = {
  external_id(text) {
    const externalId = read(ShortText, text);
    if (!externalId) throw new FieldProblem('is needed');
    return { externalId };
  },
  name(text) {
    const name = read(ShortText, text);
    if (!name) throw new FieldProblem('is needed');
    return { name };
  },
  description: (text) => ({ description: read(LongText, text) ?? '' }),
  types: (text, find) => ({
    typeIds: list(text, MOST.types, (path) => {
      const id = find(path);
      if (id === undefined) throw new FieldProblem(`names no type, or several: ${path}`);
      return id;
    }),
  }),
  address: (text) => ({ address: read(Text, text) ?? '' }),
  latitude: (text) => ({ latitude: degrees(text, 90) }),
  longitude: (text) => ({ longitude: degrees(text, 180) }),
  time_zone(text) {
    const timeZone = read(TimeZone, text);
    return timeZone ? { timeZone } : {};
  },
  opening_hours(text) {
    const hours = parseHours(text);
    if (!hours) throw new FieldProblem('must be written as `Mo-Fr 08:00-18:00; Sa 09:00-13:00`');
    if (hours.length > MOST.hours)
      throw new FieldProblem(`must have at most ${MOST.hours} entries`);
    return { hours };
  },
  languages: (text) => ({
    languageCodes: list(text, MOST.languages, (code) => read(LanguageTag, code) as string),
  }),
  phone(text) {
    const phone = text === '' ? null : internationalPhone(text);
    if (phone === undefined)
      throw new FieldProblem('must have the code of its country, as +49 30 901820');
    return { phone };
  },
  email: (text) => ({ email: read(Email, text) ?? null }),
  url: (text) => ({ url: read(WebAddress, text) ?? null }),
  accessibility: (text) => ({
    accessibility: list(text, 100, (entry) => {
      const known = Object.values(Accessibility).find((value) => value === entry.toLowerCase());
      if (!known) throw new FieldProblem(`must be of ${Object.values(Accessibility).join(', ')}`);
      return known;
    }),
  }),
};
