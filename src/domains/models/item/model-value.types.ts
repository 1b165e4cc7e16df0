import { GraphQLLocalDate, GraphQLLocalTime } from 'graphql-scalars';
import { createUnionType, Field, Float, Int, ObjectType } from 'type-graphql';
import { Access, anyone } from '../../../core/access.js';
import { Rows, WEIGHTS, Weight } from '../../../core/cost.js';
import { DateTime } from '../../../core/scalars.js';
import type { FieldPart } from '../definition/model.document.js';
import { choicesOf, targetOf } from '../field/list-rule.js';
import type { StoredValue } from '../field/value-rule.js';

@ObjectType({
  description:
    'A value of a field of type TEXT, WEBSITE, PHONE, EMAIL, PARAGRAPH, WYSIWYG, CODE, OEMBED, ' +
    'COLOR, SLUG, or of no known type.',
})
export class ModelTextValue {
  @Access(anyone)
  @Weight(WEIGHTS.text)
  @Field(() => String, { description: 'The text.' })
  text!: string;
}

@ObjectType({ description: 'A value of a field of type NUMBER or CURRENCY.' })
export class ModelNumberValue {
  @Access(anyone)
  @Field(() => Float, { description: 'The number.' })
  number!: number;
}

@ObjectType({ description: 'A value of a field of type BOOLEAN.' })
export class ModelBooleanValue {
  @Access(anyone)
  @Field(() => Boolean, { description: 'Yes or no.' })
  boolean!: boolean;
}

@ObjectType({ description: 'A value of a field of type DATETIME.' })
export class ModelDateTimeValue {
  @Access(anyone)
  @Field(() => DateTime, { description: 'The moment, in UTC.' })
  dateTime!: Date;
}

@ObjectType({ description: 'A value of a field of type DATE.' })
export class ModelDateValue {
  @Access(anyone)
  @Field(() => GraphQLLocalDate, { description: 'The day.' })
  date!: string;
}

@ObjectType({ description: 'A value of a field of type TIME.' })
export class ModelTimeValue {
  @Access(anyone)
  @Field(() => GraphQLLocalTime, { description: 'The time of day.' })
  time!: string;
}

@ObjectType({ description: 'A value of a field of type PASSWORD. Nobody reads it again.' })
export class ModelSecretValue {
  @Access(anyone)
  @Field(() => Boolean, { description: 'Whether there is one; the value itself is never shown.' })
  isSet!: boolean;
}

@ObjectType({ description: 'A word of the list of a field.' })
export class ModelChoice {
  @Access(anyone)
  @Field(() => String, { description: 'The word.' })
  word!: string;

  @Access(anyone)
  @Field(() => String, { description: 'Its name for people.' })
  label!: string;
}

@ObjectType({ description: 'A value of a field of type PICK that picks words of a list.' })
export class ModelChoiceValue {
  @Access(anyone)
  @Rows(3)
  @Field(() => [ModelChoice], { description: 'The words, in the order in which they were picked.' })
  choices!: ModelChoice[];
}

@ObjectType({ description: 'A value of a field of type PICK, FILE or AVATAR: it points at rows.' })
export class ModelPickValue {
  constructor(
    readonly field: FieldPart,
    readonly ids: readonly number[],
  ) {}

  @Access(anyone)
  @Rows(3)
  @Field(() => [Int], {
    description: 'Numbers of the rows, in the order in which they were picked; some may be gone.',
  })
  get databaseIds(): readonly number[] {
    return this.ids;
  }
}

export const ModelValue = createUnionType({
  name: 'ModelValue',
  description: 'A value of an item, by the type of its field.',
  types: () =>
    [
      ModelTextValue,
      ModelNumberValue,
      ModelBooleanValue,
      ModelDateTimeValue,
      ModelDateValue,
      ModelTimeValue,
      ModelSecretValue,
      ModelChoiceValue,
      ModelPickValue,
    ] as const,
});

const of = <T extends object>(type: new () => T, values: T): T => Object.assign(new type(), values);

/** Returns a stored value as GraphQL shows it. */
export function shownValue(field: FieldPart, value: StoredValue): object {
  switch (field.type) {
    case 'number':
    case 'currency':
      return of(ModelNumberValue, { number: value as number });
    case 'boolean':
      return of(ModelBooleanValue, { boolean: value as boolean });
    case 'datetime':
      return of(ModelDateTimeValue, { dateTime: new Date(value as string) });
    case 'date':
      return of(ModelDateValue, { date: value as string });
    case 'time':
      return of(ModelTimeValue, { time: value as string });
    case 'password':
      return of(ModelSecretValue, { isSet: true });
    case 'pick':
    case 'file':
    case 'avatar':
      return picked(field, Array.isArray(value) ? value : [value as string | number]);
    default:
      return of(ModelTextValue, { text: String(value) });
  }
}

function picked(field: FieldPart, entries: readonly (string | number)[]): object {
  if (targetOf(field).kind !== 'choice') return new ModelPickValue(field, entries as number[]);
  const labels = new Map(choicesOf(field));
  const choices = entries.map((word) =>
    of(ModelChoice, { word: String(word), label: labels.get(String(word)) ?? String(word) }),
  );
  return of(ModelChoiceValue, { choices });
}
