import { ObjectType } from 'type-graphql';
import { Visible } from '../../../core/access.js';
import { WEIGHTS, Weight } from '../../../core/cost.js';
import { Promised } from '../../../core/marks.js';
import type { MediaRow } from './media.row.js';

/** A text of a medium as the REST editions show it. */
@ObjectType({ description: 'A text of a medium.' })
export class RenderedText {
  constructor(private readonly render: () => string | Promise<string>) {}

  @Promised()
  @Weight(WEIGHTS.excerpt)
  @Visible(() => String, { description: 'HTML, transformed for display.' })
  get rendered(): string | Promise<string> {
    return this.render();
  }
}

@ObjectType({ description: 'The texts of a medium as they were written, to be edited.' })
export class MediaSource {
  constructor(private readonly row: MediaRow) {}

  @Weight(WEIGHTS.text)
  @Visible({ description: 'The title.' })
  get title(): string {
    return this.row.title;
  }

  @Weight(WEIGHTS.text)
  @Visible({ description: 'The line below the medium; may be empty.' })
  get caption(): string {
    return this.row.caption;
  }

  @Weight(WEIGHTS.text)
  @Visible({ description: 'What the medium is about; may be empty.' })
  get description(): string {
    return this.row.description;
  }
}
