import {
  type FieldPart,
  fieldsInUse,
  type GroupPart,
  type ModelDocument,
} from '../definition/model.document.js';

/** A thing in which two states of a model differ. Undefined where there is nothing. */
export interface Difference {
  /** `label`, `field street: type`, `group details`, `field street: option required`. */
  readonly what: string;
  readonly before: unknown;
  readonly after: unknown;
}

type Properties = ReadonlyMap<string, unknown>;

/**
 * Returns in what two states of a model differ. Fields and groups are the same by `keyOf`: by their
 * ids, or by their names between installations.
 */
export function differences(
  before: ModelDocument,
  after: ModelDocument,
  keyOf: (part: GroupPart) => unknown = ({ id }) => id,
): Difference[] {
  const groups = (document: ModelDocument) =>
    document.groups.map((part) => ({ part, properties: propertiesOf(part, {}) }));
  const fields = (document: ModelDocument) =>
    fieldsInUse(document).map((part) => {
      const group = document.groups.find(({ id }) => id === part.groupId)?.name ?? null;
      return { part, properties: propertiesOf(part, { type: part.type, group }) };
    });
  return [
    ...between('', propertiesOf(before, {}), propertiesOf(after, {})),
    ...betweenParts('group', groups(before), groups(after), keyOf),
    ...betweenParts('field', fields(before), fields(after), keyOf),
  ];
}

interface Described {
  readonly part: GroupPart;
  readonly properties: Properties;
}

/** Yields which groups or fields came and went, what changed in those that stayed, and the order. */
function* betweenParts(
  kind: string,
  had: readonly Described[],
  has: readonly Described[],
  keyOf: (part: GroupPart) => unknown,
): Generator<Difference> {
  const known = new Map(had.map((one) => [keyOf(one.part), one]));
  const now = new Set(has.map(({ part }) => keyOf(part)));
  for (const { part } of had)
    if (!now.has(keyOf(part)))
      yield { what: `${kind} ${part.name}`, before: part.label, after: undefined };
  for (const { part, properties } of has) {
    const old = known.get(keyOf(part));
    const name = `${kind} ${part.name}`;
    if (!old) yield { what: name, before: undefined, after: part.label };
    else yield* between(`${name}: `, old.properties, properties);
  }
  const order = (list: readonly Described[]) =>
    list.map(({ part }) => keyOf(part)).filter((key) => known.has(key) && now.has(key));
  if (JSON.stringify(order(had)) !== JSON.stringify(order(has)))
    yield { what: `order of ${kind}s`, before: names(had), after: names(has) };
}

const names = (list: readonly Described[]) => list.map(({ part }) => part.name);

function propertiesOf(
  part: Pick<FieldPart, 'name' | 'label' | 'description' | 'options'> &
    Partial<Pick<ModelDocument, 'type' | 'storage'>>,
  more: Readonly<Record<string, unknown>>,
): Properties {
  const { name, label, description, options, type, storage } = part;
  const own = {
    name,
    label,
    description,
    ...(storage !== undefined && { type, storage }),
    ...more,
  };
  return new Map([
    ...Object.entries(own),
    ...options.map(([option, value]) => [`option ${option}`, value] as const),
  ]);
}

function between(prefix: string, before: Properties, after: Properties): Difference[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].flatMap((name) =>
    JSON.stringify(before.get(name)) === JSON.stringify(after.get(name))
      ? []
      : [{ what: prefix + name, before: before.get(name), after: after.get(name) }],
  );
}
