import { type ClassType, Field, ObjectType } from 'type-graphql';
import { Access, anyone } from './access.js';
import { Rows } from './cost.js';
import { Internal } from './marks.js';

/** A field of a payload: what changed. */
interface Part {
  readonly type: Parameters<typeof Field>[0] & (() => unknown);
  readonly description: string;
  /** Default false. */
  readonly nullable?: boolean;
  /** How many rows of a list the cost counts. See `Rows`. */
  readonly rows?: number;
  /** Whether only the REST editions need it. Default false. */
  readonly internal?: boolean;
}

/**
 * Makes the GraphQL type of what a mutation returns: `<Name>Payload`, with a field for each thing
 * that changed. `name` is that of the mutation with a capital letter.
 */
export function payloadType<T extends object>(
  name: string,
  parts: { readonly [Name in keyof T & string]: Part },
): ClassType<T> {
  @ObjectType(`${name}Payload`, { description: `What \`${lowered(name)}\` changed.` })
  class Payload {}
  for (const [name, part] of Object.entries<Part>(parts)) {
    const { type, description, nullable = false, rows, internal } = part;
    Field(type, { description, nullable })(Payload.prototype, name);
    Access(anyone)(Payload.prototype, name);
    if (rows) Rows(rows)(Payload.prototype, name);
    if (internal) Internal()(Payload.prototype, name);
  }
  return Payload as ClassType<T>;
}

/**
 * Makes the types of what the mutations that make, change and delete a noun return: each has the one
 * field `part` with the row. `what` names the row in descriptions. Default: `part`.
 */
export function changePayloads<T extends object>(
  noun: string,
  part: keyof T & string,
  type: Part['type'],
  what: string = part,
): readonly [ClassType<T>, ClassType<T>, ClassType<T>] {
  const made = (verb: string, state: string) => {
    const parts = { [part]: { type, description: `The ${what} as it ${state}.` } };
    return payloadType<T>(verb + noun, parts as { [Name in keyof T & string]: Part });
  };
  return [made('Create', 'is now'), made('Update', 'is now'), made('Delete', 'was')];
}

const lowered = (name: string) => name.charAt(0).toLowerCase() + name.slice(1);
