import { Field, ObjectType } from 'type-graphql';
import { Access, anyone } from '../../../core/access.js';
import { WEIGHTS, Weight } from '../../../core/cost.js';
import { Promised } from '../../../core/marks.js';

@ObjectType({ description: 'A text of a revision.' })
export class RevisionText {
  constructor(
    raw: string,
    private readonly render: (raw: string) => string | Promise<string>,
  ) {
    this.raw = raw;
  }

  @Access(anyone)
  @Weight(WEIGHTS.excerpt)
  @Field(() => String, { description: 'As it exists in the database.' })
  readonly raw: string;

  @Access(anyone)
  @Promised()
  @Weight(WEIGHTS.excerpt)
  @Field(() => String, { description: 'Transformed for display.' })
  get rendered(): string | Promise<string> {
    return this.render(this.raw);
  }
}

@ObjectType({ description: 'Meta fields of a revision.' })
export class RevisionMeta {
  constructor(footnotes: string) {
    this.footnotes = footnotes;
  }

  @Access(anyone)
  @Weight(WEIGHTS.text)
  @Field(() => String, {
    description: 'Footnotes of the content, as JSON; empty when there are none.',
  })
  footnotes: string;
}
