import { isEnumType, isObjectType } from 'graphql';
import { makeSchema } from '../../src/app/schema/schema.js';
import { isReason } from '../../src/core/reasons.js';

/** What the schema writes in capitals with an underscore, and is no value of an enum. */
function namedIn(description: string, values: ReadonlySet<string>): string[] {
  const names = description.match(/\b[A-Z]+(?:_[A-Z]+)+\b/g) ?? [];
  return names.filter((name) => !values.has(name));
}

test('each reason that the schema documents is a reason that exists', () => {
  const types = Object.values(makeSchema().getTypeMap());
  const values = new Set(
    types.filter(isEnumType).flatMap((type) => type.getValues().map(({ name }) => name)),
  );
  const fields = types.filter(isObjectType).flatMap((type) => Object.values(type.getFields()));
  const named = fields.flatMap(({ name, description }) =>
    namedIn(description ?? '', values).map((reason) => [name, reason] as const),
  );
  expect(named.length, String(named.length)).toBeGreaterThan(100);
  const unknown = named.filter(([, reason]) => !isReason(reason));
  expect(unknown).toStrictEqual([]);
});
