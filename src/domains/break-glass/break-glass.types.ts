import { ObjectType } from 'type-graphql';
import { Visible } from '../../core/access.js';
import { DatabaseId, Node } from '../../core/node.js';
import { connectionType } from '../../core/paging.js';
import { payloadType } from '../../core/payload.js';
import { DateTime } from '../../core/scalars.js';

@ObjectType({
  implements: Node,
  description:
    'A clinician opened the care of a member who is not assigned to them. The member is notified. ' +
    'Shown to both and to administrators.',
})
export class BreakGlass {
  memberId!: number;
  clinicianId!: number;

  @DatabaseId()
  id!: number;

  @Visible({ description: 'Why, in the words of the clinician.' })
  reason!: string;

  @Visible(() => DateTime, { description: 'When, in UTC.' })
  createdAt!: Date;

  @Visible(() => DateTime, {
    description:
      'When the right to see ends or ended, in UTC: 60 minutes later, unless it was ended before.',
  })
  endsAt!: Date;
}

/** A page of openings. */
export const BreakGlassConnection = connectionType(BreakGlass, 'BreakGlass', 'an opening');

/** What `breakGlass` returns. */
export const BreakGlassPayload = payloadType<{ breakGlass: BreakGlass }>('BreakGlass', {
  breakGlass: { type: () => BreakGlass, description: 'What was opened, and until when.' },
});

/** What `endBreakGlass` returns. */
export const EndBreakGlassPayload = payloadType<{ breakGlass: BreakGlass }>('EndBreakGlass', {
  breakGlass: { type: () => BreakGlass, description: 'What is open no more.' },
});
