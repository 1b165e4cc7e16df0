import { GraphQLLocalDate, GraphQLLocalTime } from 'graphql-scalars';
import { createUnionType, Float, ObjectType } from 'type-graphql';
import { Visible } from '../../../core/access.js';
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
  constructor(text: string) {
    this.text = text;
  }

  @Weight(WEIGHTS.text)
  @Visible(() => String, { description: 'The text.' })
  readonly text: string;
}

@ObjectType({ description: 'A value of a field of type NUMBER or CURRENCY.' })
export class ModelNumberValue {
  constructor(number: number) {
    this.number = number;
  }

  @Visible(() => Float, { description: 'The number.' })
  readonly number: number;
}

@ObjectType({ description: 'A value of a field of type BOOLEAN.' })
export class ModelBooleanValue {
  constructor(boolean: boolean) {
    this.boolean = boolean;
  }

  @Visible(() => Boolean, { description: 'Yes or no.' })
  readonly boolean: boolean;
}

@ObjectType({ description: 'A value of a field of type DATETIME.' })
export class ModelDateTimeValue {
  constructor(dateTime: Date) {
    this.dateTime = dateTime;
  }

  @Visible(() => DateTime, { description: 'The moment, in UTC.' })
  readonly dateTime: Date;
}

@ObjectType({ description: 'A value of a field of type DATE.' })
export class ModelDateValue {
  constructor(date: string) {
    this.date = date;
  }

  @Visible(() => GraphQLLocalDate, { description: 'The day.' })
  readonly date: string;
}

@ObjectType({ description: 'A value of a field of type TIME.' })
export class ModelTimeValue {
  constructor(time: string) {
    this.time = time;
  }

  @Visible(() => GraphQLLocalTime, { description: 'The time of day.' })
  readonly time: string;
}

@ObjectType({ description: 'A value of a field of type PASSWORD. Nobody reads it again.' })
export class ModelSecretValue {
  @Visible(() => Boolean, { description: 'Whether there is one; the value itself is never shown.' })
  isSet!: boolean;
}

@ObjectType({ description: 'A word of the list of a field.' })
export class ModelChoice {
  @Visible(() => String, { description: 'The word.' })
  word!: string;

  @Visible(() => String, { description: 'Its name for people.' })
  label!: string;
}

@ObjectType({ description: 'A value of a field of type PICK that picks words of a list.' })
export class ModelChoiceValue {
  @Rows(3)
  @Visible(() => [ModelChoice], {
    description: 'The words, in the order in which they were picked.',
  })
  choices!: ModelChoice[];
}

@ObjectType({ description: 'A value of a field of type PICK, FILE or AVATAR: it points at rows.' })
export class ModelPickValue {
  constructor(
    readonly field: FieldPart,
    readonly ids: readonly number[],
  ) {}
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
      return new ModelNumberValue(value as number);
    case 'boolean':
      return new ModelBooleanValue(value as boolean);
    case 'datetime':
      return new ModelDateTimeValue(new Date(value as string));
    case 'date':
      return new ModelDateValue(value as string);
    case 'time':
      return new ModelTimeValue(value as string);
    case 'password':
      return of(ModelSecretValue, { isSet: true });
    case 'pick':
    case 'file':
    case 'avatar':
      return picked(field, Array.isArray(value) ? value : [value as string | number]);
    default:
      return new ModelTextValue(String(value));
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
