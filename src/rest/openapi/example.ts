import type { Json } from './json.js';

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2026-03-10T08:00:00.000Z',
  'date-time-local': '2026-03-10T08:00:00',
  'idn-email': 'someone@example.com',
  uri: 'https://example.com/page',
};

/** Examples of texts by a word in their name. */
const NAMED: readonly (readonly [RegExp, string])[] = [
  [/^(start_date|end_date|date_from|date_to|from|to)$/, '2026-03-10'],
  [/^date_time$/, '2026-03-10T08:00:00'],
  [/frequency/, 'twice a day'],
  [/remind_before/, '30 minutes'],
  [/time_zone$/, 'Europe/Berlin'],
  [/^(opens|closes|times)$/, '08:00'],
  [/push_token/, 'ExponentPushToken[aBcDeFgHiJkLmNoPqRsTuV]'],
  [/password|code|secret/, 'correct horse battery'],
  [/token/i, 'eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl'],
  [/username/, 'someone'],
  [/url|link|href|guid/, 'https://example.com/page'],
  [/slug|name|type|pod/, 'example'],
];

/** Returns a value that fits a schema. `name` is the name of the field or parameter. */
export function exampleOf(
  schema: Json,
  components: Readonly<Record<string, Json>>,
  name = '',
): unknown {
  if (schema.$ref) return exampleOf(referred(schema.$ref as string, components), components, name);
  if (schema.default !== undefined) return schema.default;
  const choices = schema.anyOf as readonly Json[] | undefined;
  if (choices) return exampleOf(choices[0] as Json, components, name);
  if (schema.enum) return (schema.enum as readonly unknown[])[0];
  const type = [schema.type].flat()[0] as string | undefined;
  if (type === 'object') return objectOf(schema, components);
  if (type === 'array') return [exampleOf((schema.items ?? {}) as Json, components, name)];
  if (type === 'boolean') return false;
  if (type === 'integer' || type === 'number') return Math.max(1, Number(schema.minimum ?? 1));
  return textOf(schema, name);
}

function objectOf({ properties = {} }: Json, components: Readonly<Record<string, Json>>): object {
  const fields = Object.entries(properties as Record<string, Json>);
  return Object.fromEntries(
    fields.map(([name, field]) => [name, exampleOf(field, components, name)]),
  );
}

function textOf({ format, pattern, minLength = 0 }: Json, name: string): string {
  const formatted = FORMATS[String(format)];
  if (formatted) return formatted;
  if (String(pattern).startsWith('^\\d{4}')) return '2026-03-10';
  if (String(pattern).startsWith('^([0-1]')) return '08:00';
  if (pattern) return 'example';
  const named = NAMED.find(([words]) => words.test(name))?.[1] ?? 'A text';
  return named.padEnd(Number(minLength), '.');
}

function referred(reference: string, components: Readonly<Record<string, Json>>): Json {
  const schema = components[reference.replace('#/components/schemas/', '')];
  if (!schema) throw new Error(`${reference} is not described.`);
  return schema;
}
