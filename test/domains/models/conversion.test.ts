import fc from 'fast-check';
import type { FieldPart } from '../../../src/domains/models/definition/model.document.js';
import { convert } from '../../../src/domains/models/field/conversion.js';
import { storable } from '../../../src/domains/models/field/field-rule.js';
import { ModelFieldType } from '../../../src/domains/models/field/field-types.js';
import type { StoredValue } from '../../../src/domains/models/field/value-rule.js';

const OPTIONS: FieldPart['options'][] = [
  [],
  [['pick_object', 'media']],
  [
    ['pick_object', 'media'],
    ['pick_format_type', 'multi'],
    ['file_format_type', 'multi'],
  ],
  [
    ['pick_object', 'custom-simple'],
    ['pick_custom', 'day\nnight\n12'],
  ],
  [
    ['pick_object', 'custom-simple'],
    ['pick_custom', 'day\nnight\n12'],
    ['pick_format_type', 'multi'],
  ],
  [
    ['number_max', '10'],
    ['text_max_length', '4'],
  ],
];

const field = fc
  .record({
    type: fc.constantFrom(...Object.values(ModelFieldType)),
    options: fc.constantFrom(...OPTIONS),
  })
  .map(
    (part): FieldPart => ({
      id: 1,
      name: 'x',
      label: 'x',
      description: '',
      groupId: null,
      ...part,
    }),
  );
const value = fc.oneof(
  fc.constantFrom<unknown>(
    ...['1', '0', '01', '1.50', 'true', 'day', '12', '#ABC', '#aabbcc', '09:30', '09:30:00'],
    ...[
      '2026-03-01',
      '2026-03-01T00:00:00Z',
      '2026-03-01T10:00:00.000Z',
      '2026-03-01T10:00:00+02:00',
    ],
    ...['<p onclick="x()">a</p>', '<p>a</p>', 'a@example.com', 'https://example.com', 'two\nlines'],
  ),
  fc.constantFrom<unknown>(0, 1, 12, -3.5, true, false, [5], [5, 6], ['day'], ['night', 'day']),
  fc.string(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

/** A value as a field stores it; undefined when it does not fit. */
function stored(given: unknown, part: FieldPart): StoredValue | undefined {
  const checked = storable(part, given);
  return 'value' in checked ? checked.value : undefined;
}

describe('What becomes of a value when its field changes', () => {
  it('fits the new rule, and gives the old value again', () => {
    fc.assert(
      fc.property(value, field, field, (given, from, to) => {
        const before = stored(given, from);
        if (before === undefined) return;
        const fate = convert(before, from, to);
        if ('lost' in fate || from.type === 'password') return;
        const after = 'value' in fate ? fate.value : before;
        expect(stored(after, to)).toStrictEqual(after);
        const back = convert(after, to, from);
        expect('value' in back ? back.value : 'kept' in back ? after : undefined).toStrictEqual(
          before,
        );
      }),
      { numRuns: Number(process.env.PROPERTY_RUNS ?? 1000) * 20 },
    );
  });

  it('gives back a choice whose word is a number', () => {
    const part = (type: FieldPart['type'], options: FieldPart['options']): FieldPart => ({
      ...{ id: 1, name: 'x', label: 'x', description: '', groupId: null },
      type,
      options,
    });
    const choice = part('pick', [
      ['pick_object', 'custom-simple'],
      ['pick_custom', 'day\nnight\n12'],
    ]);
    const number = part('number', []);
    expect(convert('12', choice, number)).toStrictEqual({ value: 12 });
    expect(convert(12, number, choice)).toStrictEqual({ value: '12' });
  });

  it('is nothing new when the field stays as it is', () => {
    fc.assert(
      fc.property(value, field, (given, part) => {
        const before = stored(given, part);
        if (before !== undefined) expect(convert(before, part, part)).toStrictEqual({ kept: true });
      }),
    );
  });
});
