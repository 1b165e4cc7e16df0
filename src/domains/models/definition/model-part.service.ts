import type { RequestContext } from '../../../core/context.js';
import { type GroupPart, type ModelDocument, withOptions } from './model.document.js';
import { modelOf, notFound, type PartRow } from './model.service.js';
import { nameless } from './model-create.service.js';
import { cleanName } from './model-name.js';
import type { CreatePartInput, UpdatePartInput } from './model-part.inputs.js';
import { optionWords } from './model-update.service.js';
import { take, wordsOf } from './model-words.js';

/** How a group or field is named: by its number, or by its name within a model. */
export interface PartKey {
  readonly id?: number | null;
  readonly model?: string | null;
  readonly slug?: string | null;
}

/** Where groups are found, or fields in use. */
interface PartPlace<T extends GroupPart> {
  readonly what: 'group' | 'field';
  readonly byId: (
    context: RequestContext,
    ids: readonly number[],
  ) => Promise<(PartRow<T> | undefined)[]>;
  readonly within: (document: ModelDocument) => readonly T[];
}

/** Returns a group or field. Throws MODEL_NOT_FOUND. */
export async function partOf<T extends GroupPart>(
  context: RequestContext,
  { id, model, slug }: PartKey,
  { what, byId, within }: PartPlace<T>,
): Promise<PartRow<T>> {
  if (typeof id === 'number') {
    const found = await context.loader(byId).load(id);
    if (!found) throw notFound(what);
    return found;
  }
  const row = await modelOf(context, { name: model ?? '' });
  const parts = within(row.document);
  const position = parts.findIndex(({ name }) => name === slug?.toLowerCase());
  const part = parts[position];
  if (!part) throw notFound(what);
  return { model: row, part, position };
}

/**
 * Returns what a new group or field has, without its number. `own` are the words that are no
 * options of it. Throws MODEL_NAME_REQUIRED.
 */
export function newPart(
  what: 'Group' | 'Field',
  input: CreatePartInput & { name?: string | null },
  own: readonly string[],
): Omit<GroupPart, 'id'> {
  if (!input.label) throw nameless(what);
  const words = wordsOf({ args: input.args, others: input.others });
  const description = take(words, 'description') ?? input.description ?? '';
  for (const word of own) words.delete(word);
  const name = cleanName(input.name || input.label, '_');
  const options = withOptions([], [...words, ...optionWords(input.options)]);
  return { name, label: input.label, description, options };
}

/** Returns a group or field with the name, the texts and the options that an input sends. */
export function changedPart<T extends GroupPart>(
  part: T,
  input: Pick<UpdatePartInput, 'label' | 'description' | 'options'> & { name?: string | null },
  words: ReturnType<typeof wordsOf>,
): T {
  const sentName = take(words, 'name') ?? input.name;
  const label = take(words, 'label') ?? input.label;
  const description = take(words, 'description') ?? input.description;
  const name = sentName ? cleanName(sentName, '_') : part.name;
  return {
    ...part,
    name,
    ...(typeof label === 'string' && { label: label || name }),
    ...(typeof description === 'string' && { description }),
    options: withOptions(part.options, [...words, ...optionWords(input.options)]),
  };
}
