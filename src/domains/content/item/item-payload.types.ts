import { type ClassType, ID } from 'type-graphql';
import { payloadType } from '../../../core/payload.js';
import { Revision } from '../revision/revision.types.js';
import { FACES } from './item.faces.js';
import { type Kind, mapKinds } from './item.kinds.js';
import { ITEM_CLASSES } from './item-kinds.types.js';

/**
 * What the mutations of each kind of content return. The item is in the field `one` of its face.
 */
export const ITEM_PAYLOADS = mapKinds((_rules, kind) => {
  const { one, name, what } = FACES[kind];
  const node = ITEM_CLASSES[kind] as ClassType<object>;
  const changed = { [one]: { type: () => node, description: `The ${what}.` } };
  return {
    create: payloadType<object>(`Create${name}`, changed),
    update: payloadType<object>(`Update${name}`, changed),
    trash: payloadType<object>(`Trash${name}`, changed),
    restore: payloadType<object>(`Restore${name}`, changed),
    autosave: payloadType<object>(`Autosave${name}`, {
      ...changed,
      autosave: {
        type: () => Revision,
        nullable: true,
        description: `What was typed, beside the ${what}. Null when it went into the ${what} itself.`,
      },
      saved: { type: () => Revision, description: 'What was typed.', internal: true },
    }),
    delete: payloadType<object>(`Delete${name}`, {
      [deletedId(kind)]: { type: () => ID, description: `Global id that the ${what} had.` },
      deleted: { type: () => Boolean, description: 'Always true.', internal: true },
      previous: { type: () => node, description: 'The item as it was.', internal: true },
    }),
  };
});

/** Returns the field that names what was deleted: deletedPostId. */
export function deletedId(kind: Kind): string {
  return `deleted${FACES[kind].name}Id`;
}
