import type { RequestContext } from '../../../core/context.js';
import { auditAccess } from '../../audit/audit.service.js';
import { moveFeeds } from '../../live/feed.service.js';
import { FeedKind } from '../../live/feed.types.js';

/**
 * Says, at the end of its transaction, that a member's reminders, doses or settings have changed:
 * whoever watches the calendar hears of it, and what the viewer did for somebody else is audited.
 */
export async function recordChange(
  inner: RequestContext,
  memberId: number,
  what: 'reminder.write' | 'dose.write' | 'care_settings.write',
): Promise<void> {
  await auditAccess(inner, memberId, what);
  await moveFeeds(inner, FeedKind.CALENDAR, [memberId]);
}
