import { Field, InputType } from 'type-graphql';
import { IdField } from '../../../core/marks.js';

@InputType({ description: 'Who edits what.' })
export class AnnounceEditingInput {
  @IdField(['Post', 'Page', 'HealthcareItem'], {
    description: 'A post, page or healthcare item. POST_NOT_FOUND, FORBIDDEN_EDIT.',
  })
  id!: number;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether the viewer edits it: false when the editor is closed. Default true.',
  })
  isEditing?: boolean | null;
}
