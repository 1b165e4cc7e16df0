import { Ctx, Resolver } from 'type-graphql';
import { Access, orDeleted } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { Judge, refusalsOf } from '../../../core/judgement.js';
import { InputArg } from '../../../core/marks.js';
import { globalId } from '../../../core/node.js';
import { Mutation } from '../../../core/root-fields.js';
import { Together } from '../../../core/together.js';
import { wasMade } from '../../../core/transact.js';
import { View } from '../content.enums.js';
import { autosave } from '../revision/autosave.service.js';
import { rulesOf } from './item.access.js';
import { FACES } from './item.faces.js';
import type { ItemChanges } from './item.inputs.js';
import type { Kind } from './item.kinds.js';
import { itemById } from './item.service.js';
import { createItem } from './item-create.service.js';
import { deleteItem, restoreItem, trashItem } from './item-delete.service.js';
import { DELETION_INPUTS, type ItemDeletion } from './item-deletion.inputs.js';
import { deletedId, ITEM_PAYLOADS } from './item-payload.types.js';
import { refuseTemplate } from './item-reference.service.js';
import { updateItem } from './item-update.service.js';

/** The refusals that creating and updating have in common. */
const WRITING =
  'FORBIDDEN_EDIT_OTHERS, FORBIDDEN_STICKY, FORBIDDEN_PUBLISH, AUTHOR_INVALID, PARENT_INVALID, ' +
  'FIELD_INVALID, CONTENT_EMPTY';

/** TEMPLATE_UNKNOWN; not of a retry, whose template may be gone since. */
const JudgeItem = (kind: Kind) =>
  Judge(async (context: RequestContext, { input }: { input: ItemChanges & { id?: number } }) => {
    const refusals = await refusalsOf(() => refuseTemplate(context, kind, input));
    return refusals.length > 0 && (await wasMade(context)) ? [] : refusals;
  });

/**
 * Returns the mutations that make and change an item of a kind. Over 40 lines: it contains a class.
 */
export function writeResolver(kind: Kind) {
  const { one, name, what, create, update } = FACES[kind];
  const payloads = ITEM_PAYLOADS[kind];
  const rules = rulesOf(kind);

  @Resolver()
  class ItemWriteResolver {
    @Access(rules.create)
    @Together()
    @JudgeItem(kind)
    @Mutation(() => payloads.create, {
      name: `create${name}`,
      description: `Makes a ${what}. FORBIDDEN_CREATE, ${WRITING}.`,
    })
    async create(@Ctx() context: RequestContext, @InputArg(create) input: object): Promise<object> {
      return { [one]: await createItem(context, kind, input) };
    }

    @Access(rules.update)
    @JudgeItem(kind)
    @Mutation(() => payloads.update, {
      name: `update${name}`,
      description:
        `Changes what is given of a ${what}, and keeps a revision. POST_NOT_FOUND, ` +
        `FORBIDDEN_EDIT, CONFLICT, ${WRITING}.`,
    })
    async update(
      @Ctx() context: RequestContext,
      @InputArg(update) input: {
        id: number;
      },
    ): Promise<object> {
      return { [one]: await updateItem(context, kind, input) };
    }
  }
  return ItemWriteResolver;
}

/** Returns the mutation that saves what is being typed into an item of a kind. */
export function autosaveResolver(kind: Kind) {
  const { one, name, what, autosave: inputType } = FACES[kind];
  const rules = rulesOf(kind);

  @Resolver()
  class AutosaveResolver {
    @Access(rules.update)
    @JudgeItem(kind)
    @Mutation(() => ITEM_PAYLOADS[kind].autosave, {
      name: `autosave${name}`,
      description:
        `Saves what is being typed: into the ${what} when it is the viewer's own draft, else ` +
        'beside it. POST_NOT_FOUND, FORBIDDEN_EDIT.',
    })
    async autosave(
      @Ctx() context: RequestContext,
      @InputArg(inputType) input: { id: number },
    ): Promise<object> {
      const saved = await autosave(context, kind, input);
      const item = () => itemById(context, kind, input.id, { as: View.EDIT });
      return { [one]: item, autosave: saved.parentId ? saved : null, saved };
    }
  }
  return AutosaveResolver;
}

/**
 * Returns the mutations that move an item of a kind to the trash and back, and that delete it. Over
 * 40 lines: it contains a class.
 */
export function deleteResolver(kind: Kind) {
  const { one, name, what } = FACES[kind];
  const inputs = DELETION_INPUTS[kind];
  const rules = rulesOf(kind);

  @Resolver()
  class ItemDeleteResolver {
    @Access(rules.delete)
    @Mutation(() => ITEM_PAYLOADS[kind].trash, {
      name: `trash${name}`,
      description: `Moves a ${what} to the trash. POST_NOT_FOUND, FORBIDDEN_DELETE, ALREADY_TRASHED.`,
    })
    async trash(
      @Ctx() context: RequestContext,
      @InputArg(inputs.trash) { id }: ItemDeletion,
    ): Promise<object> {
      return { [one]: await trashItem(context, kind, id) };
    }

    @Access(rules.restore)
    @Mutation(() => ITEM_PAYLOADS[kind].restore, {
      name: `restore${name}`,
      description:
        `Takes a ${what} back from the trash. It gets the status that it had before; a draft when ` +
        'nobody knows that, and published when the time that it was scheduled for has come. What ' +
        'was published, scheduled or private takes the right to publish. POST_NOT_FOUND, ' +
        'FORBIDDEN_EDIT, NOT_TRASHED.',
    })
    async restore(
      @Ctx() context: RequestContext,
      @InputArg(inputs.restore) { id }: ItemDeletion,
    ): Promise<object> {
      return { [one]: await restoreItem(context, kind, id) };
    }

    @Access(orDeleted(rules.delete))
    @Mutation(() => ITEM_PAYLOADS[kind].delete, {
      name: `delete${name}`,
      description: `Deletes a ${what} for good, in the trash or not. POST_NOT_FOUND, FORBIDDEN_DELETE.`,
    })
    async delete(
      @Ctx() context: RequestContext,
      @InputArg(inputs.remove) { id }: ItemDeletion,
    ): Promise<object> {
      const previous = await deleteItem(context, kind, id);
      return { [deletedId(kind)]: globalId(name, id), deleted: true, previous };
    }
  }
  return ItemDeleteResolver;
}
