/** The value of an option: a text, or a list or object that a client of REST sent. */
export type OptionValue = string | readonly unknown[] | Readonly<Record<string, unknown>>;

/** Options in the order in which they were given. */
export type Options = readonly (readonly [name: string, value: OptionValue])[];

/** A group of fields. */
export interface GroupPart {
  readonly id: number;
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly options: Options;
  /** The weight that REST shows, of an imported part; else its place. */
  readonly weight?: number;
}

/** A field. Items store its values under its id, so its name may change. */
export interface FieldPart extends GroupPart {
  readonly type: string;
  readonly groupId: number | null;
  /** When it went into the trash, in ISO 8601; absent for a field in use. */
  readonly removedAt?: string;
}

/** Everything that a definition says; its groups and fields in their order. */
export interface ModelDocument {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly type: string;
  readonly storage: string;
  readonly options: Options;
  readonly groups: readonly GroupPart[];
  readonly fields: readonly FieldPart[];
}

/** A definition as it is stored. */
export interface ModelRow {
  readonly id: number;
  readonly document: ModelDocument;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly removedAt: Date | null;
}

/** Bounds of one definition. */
export const MODEL_BOUNDS = {
  models: 1_000,
  groups: 50,
  fields: 200,
  options: 100,
  /** Characters of a name, and of a label or description. */
  name: 100,
  label: 10_000,
  /** Characters of an option's value, as JSON if it is no text. */
  option: 65_536,
} as const;

const inUse = new WeakMap<readonly FieldPart[], readonly FieldPart[]>();

/**
 * Returns the fields that are not in the trash. Every item of a list asks for those of its model.
 */
export function fieldsInUse({ fields }: Pick<ModelDocument, 'fields'>): readonly FieldPart[] {
  const known = inUse.get(fields);
  if (known) return known;
  const used = fields.filter(({ removedAt }) => removedAt === undefined);
  inUse.set(fields, used);
  return used;
}

/** Returns an option as text; undefined when it is not set, or no text. */
export function optionOf({ options }: { readonly options: Options }, name: string) {
  const value = options.find(([own]) => own === name)?.[1];
  return typeof value === 'string' ? value : undefined;
}

/** Returns whether a flag is on: an option with the text `1`. */
export const isOn = (part: { readonly options: Options }, name: string): boolean =>
  optionOf(part, name) === '1';

/** Returns options with changes: new ones come last, null takes one away. */
export function withOptions(
  options: Options,
  changes: Iterable<readonly [string, OptionValue | null]>,
): Options {
  const all = new Map<string, OptionValue>(options);
  for (const [name, value] of changes) {
    if (value === null) all.delete(name);
    else all.set(name, value);
  }
  return [...all];
}

/** Returns whether everybody may read the items of a model. Default: not. */
export const isPublicModel = (document: ModelDocument): boolean =>
  isOn(document, 'public') && isOn(document, 'publicly_queryable');

/** Returns a part with another value at a place of its list. */
export const replaced = <T extends { readonly id: number }>(
  parts: readonly T[],
  part: T,
): readonly T[] => parts.map((other) => (other.id === part.id ? part : other));
