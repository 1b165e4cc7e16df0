import { registerEnumType } from 'type-graphql';

/** A value of an enum as the domain has it, what it means, and why clients should leave it. */
type Value = readonly [value: string | number, description: string, deprecationReason?: string];

/** One of the values of an enum. */
export type EnumValue<T> = T[keyof T];

/** Declares an enum of the schema. Returns its values by their names in the schema. */
export function enumType<const Values extends Readonly<Record<string, Value>>>(
  name: string,
  description: string,
  values: Values,
): { readonly [Name in keyof Values]: Values[Name][0] } {
  const entries = Object.entries(values);
  const made = Object.fromEntries(entries.map(([key, [value]]) => [key, value]));
  const valuesConfig = Object.fromEntries(
    entries.map(([key, [, meaning, deprecationReason]]) => [
      key,
      { description: meaning, ...(deprecationReason && { deprecationReason }) },
    ]),
  );
  registerEnumType(made, { name, description, valuesConfig });
  return made as { readonly [Name in keyof Values]: Values[Name][0] };
}
