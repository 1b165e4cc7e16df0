import type { OptionValue } from './model.document.js';

/** What a client sent about a model, group or field beside its own parameters. */
export interface Words {
  /** The name as a parameter: of a body that is sent back as it was read it wins over `name`. */
  readonly name?: string | null;
  /** An object, or JSON of one. Anything else is ignored. */
  readonly args?: unknown;
  /** Further fields of the body. */
  readonly others?: Readonly<Record<string, unknown>> | null | undefined;
}

/** Keys of bodies that are no options: they are made, or parameters of their own. */
const OWN_KEYS: ReadonlySet<string> = new Set(
  (
    'id object_type object_storage_type parent weight groups fields parent_data old_name args ' +
    'pod pod_id group group_id new_name new_group new_group_id slug mode include_fields ' +
    'include_groups include_group_fields include_parent __proto__ constructor prototype'
  ).split(' '),
);

/**
 * Returns what was sent as options, in order: texts, with numbers as text and flags as `1` and `0`;
 * lists and objects as they are. Null takes an option away. `args` win over parameters, and these over
 * the body.
 */
export function wordsOf({ name: declared, args, others }: Words): Map<string, OptionValue | null> {
  const words = new Map<string, OptionValue | null>();
  for (const source of [others, declared ? { name: declared } : {}, objectOf(args)])
    for (const [name, value] of Object.entries(source ?? {}))
      if (!OWN_KEYS.has(name) && !name.startsWith('_')) words.set(name, optionValue(value));
  return words;
}

function objectOf(args: unknown): Readonly<Record<string, unknown>> | undefined {
  const value = typeof args === 'string' ? parsed(args) : args;
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function optionValue(value: unknown): OptionValue | null {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (typeof value === 'number') return String(value);
  return (value ?? null) as OptionValue | null;
}

/** Takes a word that is a property of its own out of the words; undefined when it is not sent. */
export function take(words: Map<string, OptionValue | null>, name: string): string | undefined {
  const value = words.get(name);
  words.delete(name);
  return typeof value === 'string' ? value : undefined;
}

/** Returns the filter of `args` on a list: undefined for none, null for what matches nothing. */
export function filterOf(args: unknown): ReadonlyMap<string, string> | null | undefined {
  if (args === undefined || args === null || args === '') return undefined;
  const object = objectOf(args);
  if (!object) return null;
  return new Map(
    Object.entries(object).map(([name, value]) => [name, textOfOption(optionValue(value))]),
  );
}

/** Returns the value of an option as a filter compares it: of what is no text, its JSON. */
export const textOfOption = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');
