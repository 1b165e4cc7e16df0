import { type ClassType, Field, ID, InputType } from 'type-graphql';
import { IdOf, Internal, RestDescription } from '../../../core/marks.js';
import { optional } from '../input-fields.js';

/** An item to move to the bin or to delete. */
export interface Doomed {
  readonly id: number;
}

/** Makes the input that names an item of a type, for the mutation of that name. */
function doomedInput(mutation: string, type: string, what: string): ClassType<Doomed> {
  @InputType(`${mutation}${type}Input`, { description: `Which ${what}.` })
  class DoomedInput {
    @IdOf(type)
    @RestDescription('Unique identifier for the post.')
    @Field(() => ID, { description: `The ${what}.` })
    id!: number;

    /** The operation documents choose by it between the two mutations. */
    @Internal()
    @Field(() => Boolean, optional('Whether to bypass Trash and force deletion.'))
    force?: boolean | null;
  }
  return DoomedInput;
}

const inputsOf = (type: string, what: string) => ({
  trash: doomedInput('Trash', type, what),
  remove: doomedInput('Delete', type, what),
});

/** The inputs of the two mutations, by kind of content. */
export const DELETION_INPUTS = {
  post: inputsOf('Post', 'post'),
  page: inputsOf('Page', 'page'),
  healthcare: inputsOf('HealthcareItem', 'healthcare item'),
} as const;
