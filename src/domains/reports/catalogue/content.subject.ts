import { ItemKind, PostFormat } from '../../content/content.enums.js';
import { listed } from './listed.service.js';
import { counted, type Subject, timeDimensions } from './subject.js';

/** Content that is published. */
export const contentSubject: Subject = {
  name: 'content',
  description:
    "Published content, each item on the day of its publication, by the clocks of the site's " +
    'zone. Cells of fewer than a few items are not shown.',
  dimensions: [
    ...timeDimensions("in the site's zone"),
    {
      name: 'kind',
      type: 'text',
      known: listed({ subject: 'content', name: 'kind', values: Object.values(ItemKind) }),
      description: 'post, page or another kind of content.',
    },
    {
      name: 'format',
      type: 'text',
      known: listed({ subject: 'content', name: 'format', values: Object.values(PostFormat) }),
      description: 'Format of the item, such as standard.',
    },
  ],
  isPublic: true,
  counts: ['published', 'revisions'],
  measures: [
    counted('published', 'Items that are published, on the day of their publication.'),
    counted('revisions', 'Revisions of these items, on that day.'),
    {
      name: 'revisionsPerItem',
      type: 'float',
      description: 'revisions / published, on that day; null when nothing was published.',
      of: ({ revisions = 0, published = 0 }) => (published > 0 ? revisions / published : null),
    },
  ],
  facts: `SELECT i.id AS account_id, (i.published_at AT TIME ZONE $1)::date AS day,
      extract(hour FROM i.published_at AT TIME ZONE $1)::int AS hour, i.kind, i.format AS "format",
      1 AS "published", i.revision_count AS "revisions"
    FROM content_item i WHERE i.status = 'publish'`,
};
