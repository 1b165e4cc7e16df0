import { ObjectType } from 'type-graphql';
import { Visible } from '../../../core/access.js';
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

  @Weight(WEIGHTS.excerpt)
  @Visible(() => String, { description: 'As it exists in the database.' })
  readonly raw: string;

  @Promised()
  @Weight(WEIGHTS.excerpt)
  @Visible(() => String, { description: 'Transformed for display.' })
  get rendered(): string | Promise<string> {
    return this.render(this.raw);
  }
}

@ObjectType({ description: 'Meta fields of a revision.' })
export class RevisionMeta {
  constructor(footnotes: string) {
    this.footnotes = footnotes;
  }

  @Weight(WEIGHTS.text)
  @Visible(() => String, {
    description: 'Footnotes of the content, as JSON; empty when there are none.',
  })
  footnotes: string;
}
