/** What the columns of a query may mean, by the kind of its rows; those of `needed` must be named. */
interface KindFields {
  readonly needed: readonly string[];
  readonly more: readonly string[];
}

/**
 * The kinds that a mapping file can name, in the order in which they are imported, and their fields.
 * docs/import.md says what each field means.
 */
export const MAPPED_FIELDS = {
  policy: { needed: ['key', 'title', 'text'], more: ['language', 'effective'] },
  poll: { needed: ['key', 'question'], more: ['statement', 'opens', 'closes', 'multiple'] },
  option: { needed: ['key', 'poll', 'text'], more: [] },
  form: { needed: ['key', 'name'], more: ['scoreLeast', 'scoreMost', 'retentionDays'] },
  medicine: {
    needed: ['key', 'member', 'name'],
    more: ['description', 'type', 'frequency', 'start', 'end', 'created'],
  },
  appointment: {
    needed: ['key', 'member', 'title', 'date'],
    more: ['description', 'lead', 'created'],
  },
  device: { needed: ['key', 'member', 'token'], more: ['platform', 'created', 'superseded'] },
  answer: { needed: ['key', 'poll', 'member'], more: ['option', 'created', 'superseded'] },
  agreement: { needed: ['key', 'policy', 'member'], more: ['created', 'superseded'] },
  submission: {
    needed: ['key'],
    more: ['form', 'member', 'name', 'email', 'phone', 'platform', 'score', 'created'],
  },
} as const satisfies Readonly<Record<string, KindFields>>;

/** The name of a kind that a mapping file can name. */
export type MappedName = keyof typeof MAPPED_FIELDS;

/** How dates such as 05/12/2026 are meant; `in-doubt`: nobody knows. */
export const DATE_ORDERS = ['day-first', 'month-first', 'in-doubt'] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

/** Returns the JSON Schema of one kind of query. */
function querySchema([kind, { needed, more }]: readonly [string, KindFields]): object {
  const column = { type: 'string', minLength: 1, maxLength: 64 };
  return {
    type: 'object',
    additionalProperties: false,
    required: ['kind', 'from', 'query', 'columns'],
    properties: {
      kind: { const: kind },
      from: column,
      query: { type: 'string', pattern: '^\\s*(?:[Ss][Ee][Ll][Ee][Cc][Tt]|[Ww][Ii][Tt][Hh])\\s' },
      dates: { enum: DATE_ORDERS },
      columns: {
        type: 'object',
        additionalProperties: false,
        required: needed,
        properties: Object.fromEntries([...needed, ...more].map((name) => [name, column])),
      },
    },
  };
}

/** JSON Schema of a mapping file. */
export const MAPPING_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['version', 'queries'],
  properties: {
    version: { const: 1 },
    dates: { enum: DATE_ORDERS },
    queries: {
      type: 'array',
      minItems: 1,
      maxItems: 100,
      items: {
        type: 'object',
        required: ['kind'],
        discriminator: { propertyName: 'kind' },
        oneOf: Object.entries(MAPPED_FIELDS).map(querySchema),
      },
    },
  },
} as const;
