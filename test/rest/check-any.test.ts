import fc from 'fast-check';
import { check } from '../../src/rest/parameter/check.js';
import type { Schema } from '../../src/rest/parameter/json-schema.js';

const INTEGER: Schema = { type: 'integer' };

describe('any value and any schema', () => {
  const bound = fc.integer({ min: -5, max: 5 });
  const { schema } = fc.letrec<{ schema: Schema }>((tie) => ({
    schema: fc.oneof(
      { depthSize: 'small' },
      fc.record(
        { type: fc.constant('integer'), minimum: bound, maximum: bound },
        { requiredKeys: ['type'] },
      ),
      fc.record({ type: fc.constantFrom('number', 'boolean', 'null') }),
      fc.record(
        {
          type: fc.constantFrom<Schema['type']>(
            'string',
            ['string', 'null'],
            ['integer', 'string'],
          ),
          format: fc.constant('date-time'),
          maxLength: fc.nat(5),
          enum: fc.array(fc.constantFrom('a', 'b', '1')),
        },
        { requiredKeys: ['type'] },
      ),
      fc.record({ form: fc.constant('raw' as const) }),
      fc.constant({}),
      fc.record(
        {
          type: fc.constant('array'),
          items: tie('schema'),
          maxItems: fc.nat(3),
          uniqueItems: fc.boolean(),
        },
        { requiredKeys: ['type'] },
      ),
      fc.record(
        {
          type: fc.constant('object'),
          properties: fc.dictionary(fc.constantFrom('a', 'b', '0'), tie('schema')),
          additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
        },
        { requiredKeys: ['type'] },
      ),
      fc.record({ oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
      fc.record({ loose: tie('schema') }),
    ),
  }));
  const likely = fc.constantFrom<unknown>(
    '1',
    '5,6',
    '2024-02-30 10:00:00',
    'true',
    '',
    3,
    { a: 1 },
    ['1', 'a'],
    { raw: 'a' },
  );
  const value = fc.oneof(
    likely,
    fc.jsonValue(),
    fc.array(likely),
    fc.dictionary(fc.constantFrom('a', 'b', '0', '__proto__'), likely),
  );

  it('end in a value, a validation error with a text, or nothing', () =>
    fc.assert(
      fc.property(value, schema, (sent, described) => {
        const checked = check(sent, described, 'p');
        expect(Object.keys(checked)).toHaveLength(1);
        if ('validationError' in checked) expect(checked.validationError.message).toMatch(/\S/);
      }),
    ));

  it('what is accepted has the type that is described', () =>
    fc.assert(
      fc.property(value, schema, (sent, described) => {
        const checked = check(sent, described, 'p');
        if ('value' in checked)
          expect(
            conforms(checked.value, described),
            JSON.stringify([checked.value, described]),
          ).toBe(true);
      }),
    ));

  it('what is accepted stays as it is when it is checked again', () =>
    fc.assert(
      fc.property(value, schema, (sent, described) => {
        fc.pre(!ambiguous(described));
        const checked = check(sent, described, 'p');
        if ('value' in checked) expect(check(checked.value, described, 'p')).toStrictEqual(checked);
      }),
    ));

  it('take time in proportion to their length', () => {
    // A million characters in time of their square would take longer than any suite may.
    for (const sent of [
      '1'.repeat(1e6),
      `${' '.repeat(1e6)}x`,
      ','.repeat(1e6),
      `2024-01-01T00:00:00.${'1'.repeat(1e6)}`,
    ])
      for (const type of ['integer', 'boolean', 'array', 'string'])
        check(sent, { type, items: INTEGER, format: 'date-time' }, 'p');
  });

  /** A schema of several readings may read its own result in another of them. */
  function ambiguous(described: Schema): boolean {
    const { oneOf, loose, items, properties = {}, additionalProperties: others } = described;
    const parts = [
      loose,
      items,
      ...Object.values(properties),
      typeof others === 'object' ? others : undefined,
    ];
    return Array.isArray(oneOf) || parts.some((part) => part && ambiguous(part));
  }

  /** The schema's meaning, written down a second time. */
  function conforms(result: unknown, described: Schema): boolean {
    const {
      type,
      items,
      properties = {},
      additionalProperties: others,
      oneOf,
      loose,
      form,
    } = described;
    if (described.enum && !described.enum.includes(result)) return false;
    if (oneOf) return oneOf.some((one) => conforms(result, one));
    if (loose) return conforms(result, loose);
    if (form) return typeof result === 'string';
    if (Array.isArray(type))
      return type.some((one: string) => conforms(result, { ...described, type: one }));
    const {
      minimum = -Infinity,
      maximum = Infinity,
      maxLength = Infinity,
      maxItems = Infinity,
    } = described;
    if (type === 'integer')
      return (
        Number.isInteger(result) && (result as number) >= minimum && (result as number) <= maximum
      );
    if (type === 'string' && typeof result !== 'string') return false;
    if (
      type === 'string' &&
      described.format === 'date-time' &&
      Number.isNaN(Date.parse(result as string))
    )
      return false;
    if (type === 'string') return [...(result as string)].length <= maxLength;
    if (type === 'null') return result === null;
    if (type === 'array') {
      if (!Array.isArray(result) || result.length > maxItems) return false;
      if (
        described.uniqueItems &&
        new Set(result.map((item) => JSON.stringify(item))).size < result.length
      )
        return false;
      return !items || result.every((item) => conforms(item, items));
    }
    if (type !== 'object') return type === undefined || typeof result === type;
    if (typeof result !== 'object' || result === null || Array.isArray(result)) return false;
    return Object.entries(result).every(([name, part]) => {
      const own = Object.hasOwn(properties, name) ? properties[name] : others;
      return own !== false && (typeof own !== 'object' || conforms(part, own));
    });
  }
});
