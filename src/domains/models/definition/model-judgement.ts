import { refuse } from '../../../core/errors.js';
import { isStorable } from '../../../platform/storable.js';
import {
  fieldsInUse,
  type GroupPart,
  MODEL_BOUNDS,
  type ModelDocument,
  type Options,
  type OptionValue,
} from './model.document.js';
import { isReservedName } from './model-name.js';

/**
 * Throws the first fault of a definition: MODEL_EXISTS for two groups or fields of one name,
 * MODEL_NAME_INVALID, MODEL_NAME_RESERVED, MODEL_TEXT_TOO_LONG, TOO_MANY.
 */
export function judgeDocument(document: ModelDocument): void {
  const fields = fieldsInUse(document);
  judgePart(document);
  judgeParts('Group', document.groups, MODEL_BOUNDS.groups);
  judgeParts('Field', fields, MODEL_BOUNDS.fields);
  if (document.fields.length > 2 * MODEL_BOUNDS.fields)
    throw tooMany(`The trash of a model has at most ${MODEL_BOUNDS.fields} fields.`);
  const reserved = fields.find(({ name }) => isReservedName(name));
  if (reserved)
    throw refuse(
      'MODEL_NAME_RESERVED',
      `${reserved.name} is reserved for internal usage, please try a different name.`,
      { param: 'name' },
    );
}

function judgeParts(what: string, parts: readonly GroupPart[], most: number): void {
  if (parts.length > most) throw tooMany(`A model has at most ${most} of them.`);
  const names = new Set<string>();
  for (const part of parts) {
    judgePart(part);
    if (names.has(part.name))
      throw refuse('MODEL_EXISTS', `${what} not added, it already exists.`, { param: 'name' });
    names.add(part.name);
  }
}

function judgePart(part: Pick<GroupPart, 'name' | 'label' | 'description' | 'options'>): void {
  const { name, label, description, options } = part;
  if (!/^[a-z0-9][a-z0-9_-]*$/.test(name) || name.length > MODEL_BOUNDS.name)
    throw refuse(
      'MODEL_NAME_INVALID',
      `A name has 1 to ${MODEL_BOUNDS.name} letters of a to z, digits, - and _.`,
      { param: 'name' },
    );
  refuseLong(label, 'label', MODEL_BOUNDS.label);
  refuseLong(description, 'description', MODEL_BOUNDS.label);
  judgeOptions(options);
}

function judgeOptions(options: Options): void {
  if (options.length > MODEL_BOUNDS.options)
    throw tooMany(`At most ${MODEL_BOUNDS.options} options.`);
  for (const [name, value] of options) {
    refuseLong(name, 'options', MODEL_BOUNDS.name);
    judgeOption(value);
  }
}

function refuseLong(text: string, param: string, most: number): void {
  if (text.length > most || !isStorable(text))
    throw refuse('MODEL_TEXT_TOO_LONG', `must have at most ${most} characters, without NUL`, {
      param,
    });
}

/** The texts in a value that a client of REST sent, and its size. */
function judgeOption(value: OptionValue): void {
  refuseLong(
    typeof value === 'string' ? value : JSON.stringify(value),
    'options',
    MODEL_BOUNDS.option,
  );
  const texts = (held: unknown): string[] => {
    if (typeof held === 'string') return [held];
    if (typeof held !== 'object' || held === null) return [];
    return [...Object.keys(held), ...Object.values(held).flatMap(texts)];
  };
  for (const text of texts(value)) refuseLong(text, 'options', MODEL_BOUNDS.option);
}

const tooMany = (message: string) => refuse('TOO_MANY', message, { param: 'options' });
