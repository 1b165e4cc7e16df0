import { Arg, type ClassType, Ctx, Mutation, Resolver } from 'type-graphql';
import { Access } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { Judge, refusalsOf } from '../../../core/judgement.js';
import { autosave } from '../revision/autosave.service.js';
import { Revision } from '../revision/revision.types.js';
import { rulesOf } from './item.access.js';
import { FACES } from './item.faces.js';
import { DeleteItemInput, type ItemChanges } from './item.inputs.js';
import { refuseTemplate } from './item.judgement.js';
import type { Kind } from './item.kinds.js';
import { RESULTS } from './item.results.js';
import type { Item } from './item.types.js';
import { createItem } from './item-create.service.js';
import { deleteItem } from './item-delete.service.js';
import { ITEM_CLASSES } from './item-kinds.types.js';
import { updateItem } from './item-update.service.js';

/** The refusals that creating and updating have in common. */
const WRITING =
  'FORBIDDEN_EDIT_OTHERS, FORBIDDEN_STICKY, FORBIDDEN_PUBLISH, AUTHOR_INVALID, TEMPLATE_UNKNOWN, ' +
  'PARENT_INVALID, FIELD_INVALID, META_INVALID, CONTENT_EMPTY';

/** TEMPLATE_UNKNOWN. */
const JudgeItem = () =>
  Judge((_context: RequestContext, { input }: { input: ItemChanges }) =>
    refusalsOf(() => refuseTemplate(input)),
  );

/** The mutations that make and change an item of a kind. */
export function writeResolver(kind: Kind) {
  const { name, create, update } = FACES[kind];
  const node = ITEM_CLASSES[kind] as ClassType<Item>;
  const rules = rulesOf(kind);

  @Resolver()
  class ItemWriteResolver {
    @Access(rules.create)
    @JudgeItem()
    @Mutation(() => node, {
      name: `create${name}`,
      description: `Makes an item. FORBIDDEN_CREATE, ${WRITING}.`,
    })
    async create(
      @Ctx() context: RequestContext,
      @Arg('input', () => create, { description: 'The item to make.' }) input: object,
    ): Promise<Item> {
      return createItem(context, kind, input);
    }

    @Access(rules.update)
    @JudgeItem()
    @Mutation(() => node, {
      name: `update${name}`,
      description: `Changes what is given of an item and keeps a revision. POST_NOT_FOUND, FORBIDDEN_EDIT, CONFLICT, ${WRITING}.`,
    })
    async update(
      @Ctx() context: RequestContext,
      @Arg('input', () => update, { description: 'What to change of which item.' }) input: {
        id: number;
      },
    ): Promise<Item> {
      return updateItem(context, kind, input);
    }
  }
  return ItemWriteResolver;
}

/** The mutation that saves what is being typed into an item of a kind. */
export function autosaveResolver(kind: Kind) {
  const { name, update } = FACES[kind];
  const rules = rulesOf(kind);

  @Resolver()
  class AutosaveResolver {
    @Access(rules.update)
    @JudgeItem()
    @Mutation(() => Revision, {
      name: `autosave${name}`,
      description:
        'Saves what is being typed: into the item when it is the own draft, else beside it. ' +
        'POST_NOT_FOUND, FORBIDDEN_EDIT.',
    })
    async autosave(
      @Ctx() context: RequestContext,
      @Arg('input', () => update, { description: 'What is being typed into which item.' }) input: {
        id: number;
      },
    ): Promise<Revision> {
      return autosave(context, kind, input);
    }
  }
  return AutosaveResolver;
}

/** The mutation that deletes an item of a kind. */
export function deleteResolver(kind: Kind) {
  const { name } = FACES[kind];
  const { deletion } = RESULTS[kind];
  const rules = rulesOf(kind);

  @Resolver()
  class ItemDeleteResolver {
    @Access(rules.delete)
    @Mutation(() => deletion, {
      name: `delete${name}`,
      description:
        'Moves an item to the bin, or with `force` deletes it for good. POST_NOT_FOUND, ' +
        'FORBIDDEN_DELETE, ALREADY_TRASHED.',
    })
    async delete(
      @Ctx() context: RequestContext,
      @Arg('input', () => DeleteItemInput, { description: 'Which item, and how.' })
      input: DeleteItemInput,
    ): Promise<object> {
      return deleteItem(context, kind, input);
    }
  }
  return ItemDeleteResolver;
}
