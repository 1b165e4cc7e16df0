import { GraphQLJSONObject, JSONResolver } from 'graphql-scalars';
import { scalar } from './scalar.js';

/**
 * Returns the words of a REST filter: the entries of a list, or a text split at commas and blanks.
 * Any other value is read as text.
 */
const words = (value: unknown): string[] => {
  const list = Array.isArray(value) ? value : String(value ?? '').split(/[\s,]+/);
  return list.map((word) => String(word)).filter((word) => word !== '');
};

/** Most characters of the words of a filter together: as many as a request line has. */
const LONGEST_FILTER = 16_384;

/** Returns words that are not too long together. */
function bounded(found: string[]): string[] | undefined {
  const length = found.reduce((sum, word) => sum + word.length + 1, 0);
  return length <= LONGEST_FILTER ? found : undefined;
}

const filter = (name: string, jsonSchema: object) =>
  scalar<string[]>({
    name,
    description:
      'What to filter by: words or numbers. A value that does not exist matches nothing.',
    jsonSchema,
    expected: 'a list of at most 16,384 characters',
    parse: (value) =>
      bounded(
        typeof value === 'object' && value !== null && !Array.isArray(value)
          ? words(Object.values(value))
          : words(value),
      ),
  });

export const AnyWords = filter('AnyWords', {});
export const TypeWords = filter('TypeWords', {
  type: 'array',
  items: { type: 'string' },
  lenient: true,
});
export const IdWords = filter('IdWords', {
  type: 'array',
  items: { type: 'integer' },
  lenient: true,
});

/** A number or name that clients send as a text or as a number. */
export const KeyText = scalar<string>({
  name: 'KeyText',
  description: 'A name, or a number as text.',
  jsonSchema: { type: 'string', lenient: true },
  expected: 'a name or a number of at most 200 characters',
  parse: (value) => {
    const text = typeof value === 'number' ? String(value) : value;
    return typeof text === 'string' && text.length <= 200 && !text.includes('\0')
      ? text
      : undefined;
  },
});

/** In bytes. */
const LARGEST = 1024 * 1024;

/** Any JSON, with a bound for the whole of it. */
export const AnyJson = scalar<unknown>({
  name: 'AnyJson',
  description: 'Any JSON of at most 1 MiB.',
  jsonSchema: {},
  expected: 'JSON of at most 1 MiB',
  servedAs: JSONResolver,
  parse: (value) => {
    try {
      return value !== undefined && Buffer.byteLength(JSON.stringify(value)) <= LARGEST
        ? value
        : undefined;
    } catch {
      return undefined;
    }
  },
});

/** Of a FHIR Dosage: in bytes, and how deep its objects and lists stand in each other. */
const LARGEST_DOSAGE = 16 * 1024;
const DEEPEST_DOSAGE = 12;

export const FhirDosageJson = scalar<object>({
  name: 'FhirDosageJson',
  description: 'A FHIR Dosage as a JSON object of at most 16 KiB, nested at most 12 deep.',
  jsonSchema: {},
  expected: 'a JSON object of at most 16 KiB, nested at most 12 deep',
  servedAs: GraphQLJSONObject,
  parse: (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    if (isDeeper(value, DEEPEST_DOSAGE)) return undefined;
    return Buffer.byteLength(JSON.stringify(value)) <= LARGEST_DOSAGE ? value : undefined;
  },
});

const isDeeper = (value: unknown, most: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (most === 0 || Object.values(value).some((one) => isDeeper(one, most - 1)));
