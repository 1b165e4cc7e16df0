import { Field, ObjectType } from 'type-graphql';
import { Access, anyone, type RowRule } from '../../../core/access.js';
import { WEIGHTS, Weight } from '../../../core/cost.js';
import type { Viewer } from '../../../core/viewer.js';
import { mayChangeMedia } from './media.rights.js';
import type { MediaRow } from './media.row.js';

const changers: RowRule = (viewer: Viewer, { row }: { row: MediaRow }) =>
  mayChangeMedia(viewer, row)
    ? undefined
    : { reason: 'FORBIDDEN', message: 'Sorry, you are not allowed to edit this post.' };

@ObjectType({ description: 'A text of a medium.' })
export class MediaText {
  constructor(
    readonly row: MediaRow,
    private readonly text: string,
    private readonly render: (text: string) => string,
  ) {}

  @Access(changers)
  @Weight(WEIGHTS.text)
  @Field(() => String, {
    nullable: true,
    description: 'As it exists in the database. For those who may change the medium.',
  })
  get raw(): string {
    return this.text;
  }

  @Access(anyone)
  @Weight(WEIGHTS.excerpt)
  @Field(() => String, { description: 'HTML, transformed for display.' })
  get rendered(): string {
    return this.render(this.text);
  }
}
