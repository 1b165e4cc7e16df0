import { Field, Int, ObjectType } from 'type-graphql';
import { Access, anyone } from '../../core/access.js';
import type { Site } from '../../core/site.js';

/** The site's settings as stored: one row, read at most once a second by a process. */
@ObjectType('Site', { description: 'The site that both REST editions describe.' })
export class SiteSettings implements Site {
  @Access(anyone)
  @Field({ description: 'Name of the site.' })
  title!: string;

  @Access(anyone)
  @Field({ description: 'What the site is, in a line.' })
  tagline!: string;

  @Access(anyone)
  @Field({
    description:
      'IANA name of the zone in which content shows its dates, and by which members are ' +
      'reminded of whom no other is known. Default UTC.',
  })
  timeZone!: string;

  @Access(anyone)
  @Field(() => Int, { description: 'The category given to a post that has none.' })
  defaultCategoryId!: number;

  /**
   * IANA version of the newest time zone data by which occurrences were planned; null before any
   * were.
   */
  zoneData!: string | null;
}
