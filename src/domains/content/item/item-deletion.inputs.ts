import { type ClassType, Field, InputType } from 'type-graphql';
import { IdField, Internal, RestDescription } from '../../../core/marks.js';
import { optional } from '../input-fields.js';

/** An item to move to the trash, to take back from there, or to delete. */
export interface ItemDeletion {
  readonly id: number;
}

/** Makes the input that names an item of a type, for the mutation of that name. */
function deletionInput(mutation: string, type: string, what: string): ClassType<ItemDeletion> {
  @InputType(`${mutation}${type}Input`, { description: `Which ${what}.` })
  class DeletionInput {
    @RestDescription('Unique identifier for the post.')
    @IdField(type, { description: `The ${what}.` })
    id!: number;

    /** The operation documents choose by it between the two mutations. */
    @Internal()
    @Field(() => Boolean, optional('Whether to bypass Trash and force deletion.'))
    force?: boolean | null;
  }
  return DeletionInput;
}

/** Makes the input that names an item in the trash. */
function restorationInput(type: string, what: string): ClassType<ItemDeletion> {
  @InputType(`Restore${type}Input`, { description: `Which ${what}.` })
  class RestorationInput {
    @IdField(type, { description: `The ${what}.` })
    id!: number;
  }
  return RestorationInput;
}

const inputsOf = (type: string, what: string) => ({
  trash: deletionInput('Trash', type, what),
  restore: restorationInput(type, what),
  remove: deletionInput('Delete', type, what),
});

/** The inputs of the three mutations, by kind of content. */
export const DELETION_INPUTS = {
  post: inputsOf('Post', 'post'),
  page: inputsOf('Page', 'page'),
  healthcare: inputsOf('HealthcareItem', 'healthcare item'),
} as const;
