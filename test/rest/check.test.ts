import { check } from '../../src/rest/parameter/check.js';
import type { Schema } from '../../src/rest/parameter/json-schema.js';

const takes = (schema: Schema, cases: readonly (readonly [unknown, unknown])[]) => {
  for (const [value, result] of cases)
    expect(check(value, schema, 'p'), JSON.stringify(value)).toStrictEqual({ value: result });
};
const refuses = (
  schema: Schema,
  values: readonly unknown[],
  code: string,
  message: string,
  data: unknown = null,
  name = 'p',
) => {
  for (const value of values)
    expect(check(value, schema, name), JSON.stringify(value)).toStrictEqual({
      validationError: { code, message, data },
    });
};
const refusesType = (schema: Schema, values: readonly unknown[], type: string) =>
  refuses(schema, values, 'rest_invalid_type', `p is not of type ${type}.`, { param: 'p' });
/** Objects come without a prototype, which deepEqual tells apart. */
const bare = (properties: object): unknown => Object.assign(Object.create(null), properties);

const INTEGER: Schema = { type: 'integer' };
const STRING: Schema = { type: 'string' };
const INTEGERS: Schema = { type: 'array', items: INTEGER };
const MOMENT: Schema = { type: 'string', format: 'date-time' };

describe('integers', () => {
  it('are numbers or numerals without a fraction', () =>
    takes(INTEGER, [
      [5, 5],
      ['5', 5],
      [5.0, 5],
      ['1.0', 1],
      ['-3', -3],
      ['+7', 7],
      ['1e3', 1000],
      [' 5 ', 5],
      ['00005', 5],
      ['-0', 0],
    ]));
  it('are nothing else', () =>
    refusesType(
      INTEGER,
      [1.5, '1.5', 'abc', '', ' ', true, [1], {}, '0x10', '5a', '1_000', '٣'],
      'integer',
    ));
  it('are clamped to 32 bits, so that a huge id is an unknown one', () =>
    takes(INTEGER, [
      ['99999999999999999999', 2147483647],
      [-1e300, -2147483648],
      ['1e999', 2147483647],
    ]));
  it('are held to their bounds before they are held to be whole', () => {
    const message = 'p must be between 1 (inclusive) and 100 (inclusive)';
    refuses(
      { ...INTEGER, minimum: 1, maximum: 100 },
      [0, 101, '0', 0.5, '1e999'],
      'rest_out_of_bounds',
      message,
    );
    refuses(
      { ...INTEGER, minimum: 1 },
      [0, -1],
      'rest_out_of_bounds',
      'p must be greater than or equal to 1',
    );
    refuses(
      { ...INTEGER, maximum: 9 },
      [10],
      'rest_out_of_bounds',
      'p must be less than or equal to 9',
    );
    refusesType({ ...INTEGER, minimum: 1, maximum: 100 }, [1.5, 'ten', ''], 'integer');
  });
});

it('numbers may have fractions', () => {
  takes({ type: 'number' }, [
    [1.5, 1.5],
    ['.5', 0.5],
    ['5.', 5],
  ]);
  refusesType({ type: 'number' }, ['', 'a', true, []], 'number');
});

it('booleans are true and false, in any case as text, and 1 and 0', () => {
  takes(
    { type: 'boolean' },
    [true, 1, '1', 'true', 'TRUE', 'True'].map((yes) => [yes, true] as const),
  );
  takes(
    { type: 'boolean' },
    [false, 0, '0', 'false', 'False'].map((no) => [no, false] as const),
  );
  refusesType({ type: 'boolean' }, ['', 'yes', 'no', 2, 'abc', [], {}], 'boolean');
});

describe('strings', () => {
  it('are strings only', () => {
    takes(STRING, [
      ['', ''],
      [' 5 ', ' 5 '],
    ]);
    refusesType(STRING, [5, true, [], ['a'], {}], 'string');
  });
  it('are measured in characters', () => {
    takes({ ...STRING, minLength: 2, maxLength: 2 }, [['😀😀', '😀😀']]);
    refuses(
      { ...STRING, maxLength: 2 },
      ['abc', '😀😀😀', 'abcdefg'],
      'rest_too_long',
      'p must be at most 2 characters long.',
    );
    refuses(
      { ...STRING, minLength: 1 },
      [''],
      'rest_too_short',
      'p must be at least 1 character long.',
    );
    refuses(
      { ...STRING, maxLength: 1000 },
      ['a'.repeat(1001)],
      'rest_too_long',
      'p must be at most 1,000 characters long.',
    );
  });
  it('fit their pattern', () => {
    takes({ ...STRING, pattern: '^[a-z]+$' }, [['abc', 'abc']]);
    refuses(
      { ...STRING, pattern: '^[a-z]+$' },
      ['ABC'],
      'rest_invalid_pattern',
      'p does not match pattern ^[a-z]+$.',
    );
  });
  it('of the format uri are left to whoever reads them', () =>
    takes({ ...STRING, format: 'uri' }, [['not a url', 'not a url']]));
});

describe('moments', () => {
  it('have a T or a space, and may have a fraction and a zone', () =>
    takes(MOMENT, [
      ['2024-01-15T10:20:30', '2024-01-15T10:20:30'],
      ['2024-01-15 10:20:30', '2024-01-15T10:20:30'],
      ['2024-01-15T10:20:30Z', '2024-01-15T10:20:30Z'],
      ['2024-01-15T10:20:30.125+05:30', '2024-01-15T10:20:30.125+05:30'],
      ['2024-01-15T10:20:30-03', '2024-01-15T10:20:30-03:00'],
      ['0001-01-01T00:00:00', '0001-01-01T00:00:00'],
    ]));
  it('beyond the end of a month, a day or a minute roll over', () =>
    takes(MOMENT, [
      ['2024-02-31T10:00:00', '2024-03-02T10:00:00'],
      ['2023-02-29T10:00:00Z', '2023-03-01T10:00:00Z'],
      ['2024-12-31T24:00:00', '2025-01-01T00:00:00'],
      ['2016-12-31T23:59:60.5Z', '2017-01-01T00:00:00.5Z'],
    ]));
  it('are invalid without seconds, without time, and in a thirteenth month', () =>
    refuses(
      MOMENT,
      [
        '',
        'soon',
        '13',
        '2024-01-15',
        '2024-01-15T10:20',
        '2024-13-01T00:00:00',
        '2024-01-32T00:00:00',
        '2024-01-15T25:00:00',
      ],
      'rest_invalid_date',
      'Invalid date.',
    ));
  it('leave four digits for the year', () =>
    refuses(
      MOMENT,
      ['9999-12-31T24:00:00', '2024-01-15T10:20:30 02:00'],
      'rest_invalid_date',
      'Invalid date.',
    ));
  it('may be null where the type says so', () => {
    const nullable: Schema = { type: ['string', 'null'], format: 'date-time' };
    takes(nullable, [
      [null, null],
      ['2024-01-15 10:20:30', '2024-01-15T10:20:30'],
    ]);
    refuses(nullable, ['', 'x'], 'rest_invalid_date', 'Invalid date.');
    refusesType(nullable, [5, true, [], {}], 'string,null');
  });
});

describe('null', () => {
  it('is as if nothing was given', () => {
    for (const schema of [
      INTEGER,
      STRING,
      { type: 'object' },
      {},
      { oneOf: [INTEGERS] },
      { loose: STRING },
    ])
      expect(check(null, schema, 'p')).toStrictEqual({ absent: true });
  });
  it('empties a list', () => takes(INTEGERS, [[null, []]]));
  it('is refused within lists and objects', () => {
    refuses(INTEGERS, [[1, null]], 'rest_invalid_type', 'p[1] is not of type integer.', {
      param: 'p[1]',
    });
    refuses(
      { type: 'object', properties: { a: STRING } },
      [{ a: null }],
      'rest_invalid_type',
      'p[a] is not of type string.',
      {
        param: 'p[a]',
      },
    );
  });
});

describe('lists', () => {
  it('come as lists, as text split on commas and white space, as one scalar, and as objects with whole numbers for keys', () =>
    takes(INTEGERS, [
      [
        [1, '2'],
        [1, 2],
      ],
      ['1,2', [1, 2]],
      ['1 2', [1, 2]],
      ['1,,2\t', [1, 2]],
      ['', []],
      [[], []],
      [7, [7]],
      [true, [1]],
      [{ 0: 1, 3: '2' }, [1, 2]],
      [{}, []],
    ]));
  it('are no objects with any other key', () =>
    refuses(
      INTEGERS,
      [{ a: 1 }, { 0: 1, a: 2 }, { '01': 1 }, { '': 1 }],
      'rest_invalid_type',
      'p is not of type array.',
      {
        param: 'p',
      },
    ));
  it('name the first element that does not fit', () => {
    refuses(
      INTEGERS,
      ['abc', [['x']], [{ a: 1 }], [1.5], { 0: 'x' }],
      'rest_invalid_type',
      'p[0] is not of type integer.',
      {
        param: 'p[0]',
      },
    );
    refuses(
      { type: 'array', items: { ...STRING, enum: ['a', 'b'] } },
      ['a,c', ['b', 'C']],
      'rest_not_in_enum',
      'p[1] is not one of a and b.',
    );
    refuses(
      { type: 'array', items: INTEGERS },
      [[[1], [2, 'x']]],
      'rest_invalid_type',
      'p[1][1] is not of type integer.',
      {
        param: 'p[1][1]',
      },
    );
  });
  it('have as many elements as allowed', () => {
    refuses(
      { ...INTEGERS, maxItems: 2 },
      ['1,2,3'],
      'rest_too_many_items',
      'p must contain at most 2 items.',
    );
    refuses(
      { ...INTEGERS, minItems: 1 },
      ['', null, []],
      'rest_too_few_items',
      'p must contain at least 1 item.',
    );
  });
  it('have no element twice where that is forbidden', () => {
    takes({ ...INTEGERS, uniqueItems: true }, [['1,2', [1, 2]]]);
    refuses(
      { ...INTEGERS, uniqueItems: true },
      ['1,2,1', [1, '1']],
      'rest_duplicate_items',
      'p has duplicate items.',
    );
  });
});

describe('enums', () => {
  const pick = (...values: unknown[]): Schema => ({ type: 'string', enum: values });
  it('are exact', () => {
    takes(pick('asc', 'desc'), [['asc', 'asc']]);
    refuses(
      pick('asc', 'desc'),
      ['ASC', 'up', ''],
      'rest_not_in_enum',
      'p is not one of asc and desc.',
    );
  });
  it('are listed in a sentence', () => {
    refuses(pick('a', 'b', 'c'), ['x'], 'rest_not_in_enum', 'p is not one of a, b, and c.');
    refuses(pick('exact'), ['x'], 'rest_not_in_enum', 'p is not exact.');
    refuses(pick(), ['x'], 'rest_invalid_param', 'p is not one of .');
  });
  it('follow the type', () => {
    refusesType(pick('asc'), [5], 'string');
    takes({ enum: [1, 'x'] }, [[1, 1]]);
    takes({ type: 'integer', enum: [1] }, [['1', 1]]);
  });
});

describe('objects', () => {
  const request: Schema = {
    type: 'object',
    properties: {
      method: { type: 'string', enum: ['POST', 'PUT'] },
      path: { type: 'string', required: true },
      body: { type: 'object', additionalProperties: true },
      headers: {
        type: 'object',
        additionalProperties: { type: ['string', 'array'], items: STRING },
      },
    },
  };
  const requests: Schema = { type: 'array', items: request, maxItems: 25 };
  const invalid = (value: unknown, code: string, message: string, data: unknown = null) =>
    refuses(requests, [value], code, message, data, 'requests');

  it('keep what is not described, and read what is', () =>
    takes({ type: 'object', properties: { n: INTEGER } }, [
      [{ n: '5', other: '5' }, bare({ n: 5, other: '5' })],
      ['', bare({})],
      [[], bare({})],
    ]));
  it('are nothing else', () => refusesType({ type: 'object' }, ['x', 5, true], 'object'));
  it('have their required properties', () =>
    invalid(
      [{ method: 'POST' }],
      'rest_property_required',
      'path is a required property of requests[0].',
    ));
  it('name the property that does not fit', () => {
    invalid('x', 'rest_invalid_type', 'requests[0] is not of type object.', {
      param: 'requests[0]',
    });
    invalid([{ path: 5 }], 'rest_invalid_type', 'requests[0][path] is not of type string.', {
      param: 'requests[0][path]',
    });
    invalid(
      [{ path: '/' }, { path: '/', method: 'GET' }],
      'rest_not_in_enum',
      'requests[1][method] is not one of POST and PUT.',
    );
    invalid(
      [{ path: '/', body: 'x' }],
      'rest_invalid_type',
      'requests[0][body] is not of type object.',
      {
        param: 'requests[0][body]',
      },
    );
    invalid(
      [{ path: '/', headers: { a: { b: {} } } }],
      'rest_invalid_type',
      'requests[0][headers][a] is not of type string,array.',
      {
        param: 'requests[0][headers][a]',
      },
    );
  });
  it('may be of several types', () =>
    takes(requests, [
      [
        [{ path: '/', headers: { a: '1, 2', b: 1, c: ['x', 'y'] } }],
        [bare({ path: '/', headers: bare({ a: '1, 2', b: ['1'], c: ['x', 'y'] }) })],
      ],
    ]));
  it('are at most as many as allowed', () =>
    invalid(
      Array(26).fill({ path: '/' }),
      'rest_too_many_items',
      'requests must contain at most 25 items.',
    ));
  it('take any name without touching a prototype', () => {
    const sent: unknown = JSON.parse('{"__proto__":{"x":1},"constructor":1,"toString":2}');
    const result = check(sent, { type: 'object', properties: { a: INTEGER } }, 'p');
    expect(Object.getPrototypeOf('value' in result ? result.value : result)).toBeNull();
    expect(({} as { x?: number }).x).toBeUndefined();
  });
});

describe('texts that are rendered', () => {
  it('are a string or its raw form, a scalar, and are ignored otherwise', () => {
    const raw: Schema = { type: 'object', form: 'raw' };
    takes(raw, [
      ['a', 'a'],
      ['', ''],
      [{ raw: 'a', rendered: 'b' }, 'a'],
      [{ raw: 5 }, '5'],
      [{ raw: 1.5 }, '1.5'],
      [{ raw: true }, '1'],
      [{ raw: false }, ''],
    ]);
    for (const value of [5, true, null, [], ['a'], {}, { rendered: 'x' }, { raw: null }])
      expect(check(value, raw, 'p')).toStrictEqual({ absent: true });
    refuses(
      raw,
      [{ raw: { raw: 'a' } }, { raw: ['a'] }],
      'rest_invalid_type',
      'p[raw] is not of type string.',
      {
        param: 'p[raw]',
      },
    );
  });
});

describe('term filters', () => {
  const query = (properties: Record<string, Schema>): Schema => ({
    title: 'Term ID Taxonomy Query',
    type: 'object',
    properties,
    additionalProperties: false,
  });
  const operator: Schema = { type: 'string', enum: ['AND', 'OR'] };
  const list: Schema = { title: 'Term ID List', ...INTEGERS };
  const filter: Schema = {
    type: ['object', 'array'],
    oneOf: [list, query({ terms: INTEGERS, operator, include_children: { type: 'boolean' } })],
  };
  const exclude: Schema = { oneOf: [list, query({ terms: INTEGERS })] };
  const says = (schema: Schema, value: unknown, reason: string, position: number) =>
    refuses(schema, [value], 'rest_no_matching_schema', reason, { position });

  it('are ids, or an object that says more', () =>
    takes(filter, [
      ['2,3', [2, 3]],
      [['2'], [2]],
      [2, [2]],
      [{ terms: '2,3', operator: 'AND' }, bare({ terms: [2, 3], operator: 'AND' })],
      [{ terms: '2' }, bare({ terms: [2] })],
      [{ terms: ['2'], include_children: 'true' }, bare({ terms: [2], include_children: true })],
      [{ terms: '' }, bare({ terms: [] })],
      [{ operator: 'OR' }, bare({ operator: 'OR' })],
    ]));
  it('are not both', () => {
    const text = 'p matches Term ID List and Term ID Taxonomy Query, but should match only one.';
    refuses(filter, ['', {}, []], 'rest_one_of_multiple_matches', text, { positions: [0, 1] });
  });
  it('give the reason of the one shape that was meant', () => {
    says(filter, 'abc', 'p is not a valid Term ID List. Reason: p[0] is not of type integer.', 0);
    const why = 'p is not a valid Term ID Taxonomy Query. Reason:';
    says(
      filter,
      { terms: ['2'], colour: 'red' },
      `${why} colour is not a valid property of Object.`,
      1,
    );
    says(
      exclude,
      { terms: ['2'], operator: 'AND' },
      `${why} operator is not a valid property of Object.`,
      1,
    );
    says(
      exclude,
      { include_children: true },
      `${why} include_children is not a valid property of Object.`,
      1,
    );
    says(
      filter,
      { terms: ['2'], operator: 'NOT' },
      `${why} p[operator] is not one of AND and OR.`,
      1,
    );
  });
  it('give no reason when either could have been meant', () =>
    refuses(
      filter,
      [['abc']],
      'rest_no_matching_schema',
      'p is not a valid Term ID List and Term ID Taxonomy Query.',
    ));
  it('do without titles', () => {
    const plain: Schema = {
      oneOf: [INTEGERS, { type: 'object', properties: {}, additionalProperties: false }],
    };
    says(
      plain,
      'abc',
      'p does not match the expected format. Reason: p[0] is not of type integer.',
      0,
    );
    refuses(
      plain,
      [['a']],
      'rest_no_matching_schema',
      'p does not match any of the expected formats.',
    );
    refuses(
      plain,
      [''],
      'rest_one_of_multiple_matches',
      'p matches more than one of the expected formats.',
      {
        positions: [0, 1],
      },
    );
  });
});

describe('parameters without a type', () => {
  it('are taken as they are', () =>
    takes({}, [
      [5, 5],
      [{ a: [1] }, { a: [1] }],
    ]));
  it('are read as what they are meant to be, numbers as text where text is due', () => {
    takes({ loose: STRING }, [
      ['a', 'a'],
      [5, '5'],
      [1.5, '1.5'],
      [true, '1'],
      [false, ''],
    ]);
    takes({ loose: { type: 'array', items: STRING } }, [
      [
        ['a', 5],
        ['a', '5'],
      ],
    ]);
    takes({ loose: INTEGER }, [['5', 5]]);
    takes({ loose: { type: ['string', 'null'] } }, [[null, null]]);
  });
  it('are invalid without a code when they cannot be', () => {
    for (const [value, loose] of [
      [{}, STRING],
      [['a'], STRING],
      ['abc', INTEGER],
      ['x', MOMENT],
    ] as const)
      expect(check(value, { loose }, 'p')).toStrictEqual({
        validationError: { message: 'Invalid parameter.', data: null },
      });
  });
  it('may leave out booleans, which as text would say something', () => {
    const schema = { loose: STRING, not: 'boolean' } as const;
    takes(schema, [
      ['a', 'a'],
      [1, '1'],
      ['true', 'true'],
    ]);
    for (const value of [true, false])
      expect(check(value, schema, 'p')).toStrictEqual({
        validationError: { message: 'Invalid parameter.', data: null },
      });
  });
  it('may still have an enum', () =>
    refuses(
      { loose: STRING, enum: ['a', 'b'] },
      ['c', 5],
      'rest_not_in_enum',
      'p is not one of a and b.',
    ));
});
