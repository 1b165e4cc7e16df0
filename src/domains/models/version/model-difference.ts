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
  return [
    ...between('', propertiesOf(before, {}), propertiesOf(after, {})),
    ...parts('group', before.groups, after.groups, keyOf, (group) => propertiesOf(group, {})),
    ...parts('field', fieldsInUse(before), fieldsInUse(after), keyOf, (field, { groups }) =>
      propertiesOf(field, {
        type: field.type,
        group: groups.find(({ id }) => id === field.groupId)?.name ?? null,
      }),
    ),
  ];

  function* parts<T extends GroupPart>(
    kind: string,
    had: readonly T[],
    has: readonly T[],
    key: (part: T) => unknown,
    properties: (part: T, document: ModelDocument) => Properties,
  ): Generator<Difference> {
    const known = new Map(had.map((part, place) => [key(part), { part, place }]));
    const now = new Set(has.map(key));
    for (const part of had)
      if (!now.has(key(part)))
        yield { what: `${kind} ${part.name}`, before: part.label, after: undefined };
    for (const part of has) {
      const old = known.get(key(part))?.part;
      const name = `${kind} ${part.name}`;
      if (!old) yield { what: name, before: undefined, after: part.label };
      else yield* between(`${name}: `, properties(old, before), properties(part, after));
    }
    const order = (list: readonly T[], other: ReadonlySet<unknown>) =>
      list.map(key).filter((one) => other.has(one));
    const [old, next] = [order(had, now), order(has, new Set(known.keys()))];
    if (JSON.stringify(old) !== JSON.stringify(next))
      yield {
        what: `order of ${kind}s`,
        before: had.map(({ name }) => name),
        after: has.map(({ name }) => name),
      };
  }
}

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
