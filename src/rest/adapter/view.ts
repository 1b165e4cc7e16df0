import { listOf } from '../fields.js';

/** No relations. */
export const NOTHING: ReadonlySet<string> = new Set();

/** Returns the relations that `_embed` asks for, as the variables spell them. */
export function embedsOf(value: unknown, known: readonly string[]): ReadonlySet<string> {
  if (value === undefined || known.length === 0) return NOTHING;
  const words = listOf(value);
  if (!words || words.some((word) => word === '1' || word === 'true'))
    return new Set(known.map((name) => name.slice('embed_'.length)));
  return new Set(words.map((word) => word.replace(/\W/g, '_')));
}

/** Returns whether `_fields` shows a field. */
export const shows = (fields: readonly string[] | undefined, name: string) =>
  !fields || fields.some((field) => field === name || field.startsWith(`${name}.`));

/**
 * Returns the relations of `_links` that are shown: undefined for all, null for none. A list shows
 * those that `_fields` names; a single item shows all when it names one, or `_embedded`.
 */
export function relsOf(
  fields: readonly string[] | undefined,
  isList: boolean,
): ReadonlySet<string> | undefined | null {
  if (!fields || fields.includes('_links')) return undefined;
  if (!isList && fields.some((field) => /^_(?:links|embedded)(?:\.|$)/.test(field)))
    return undefined;
  const rels = fields
    .filter((field) => field.startsWith('_links.'))
    .map((field) => field.split('.')[1] as string);
  return rels.length > 0 ? new Set(rels) : null;
}
