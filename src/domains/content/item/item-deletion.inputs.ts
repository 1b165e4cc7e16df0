import { type ClassType, Field, InputType } from 'type-graphql';
import { IdField, Internal, RestDescription } from '../../../core/marks.js';
import { optional } from '../input-fields.js';

/** An item to move to the trash, to take back from there, or to delete. */
export interface ItemDeletion {
  readonly id: number;
}

/** Makes the input that names an item of a type, for the mutation of that name. */
function itemInput(mutation: string, type: string, what: string): ClassType<ItemDeletion> {
  @InputType(`${mutation}${type}Input`, { description: `Which ${what}.` })
  class ItemInput {
    @RestDescription('Unique identifier for the post.')
    @IdField(type, { description: `The ${what}.` })
    id!: number;
  }
  return ItemInput;
}

/** Makes the input of an item to move to the trash. */
function trashInput(type: string, what: string): ClassType<ItemDeletion> {
  @InputType(`Trash${type}Input`, { description: `Which ${what}.` })
  class TrashInput {
    @RestDescription('Unique identifier for the post.')
    @IdField(type, { description: `The ${what}.` })
    id!: number;

    /** The operation documents choose by it between this mutation and the deletion. */
    @Internal()
    @Field(() => Boolean, optional('Whether to bypass Trash and force deletion.'))
    force?: boolean | null;
  }
  return TrashInput;
}

const inputsOf = (type: string, what: string) => ({
  trash: trashInput(type, what),
  restore: itemInput('Restore', type, what),
  remove: itemInput('Delete', type, what),
});

/** The inputs of the three mutations, by kind of content. */
export const DELETION_INPUTS = {
  post: inputsOf('Post', 'post'),
  page: inputsOf('Page', 'page'),
  healthcare: inputsOf('HealthcareItem', 'healthcare item'),
} as const;
