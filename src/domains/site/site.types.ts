import { ObjectType } from 'type-graphql';
import { Visible } from '../../core/access.js';
import { CacheId, globalId, Version } from '../../core/node.js';
import { TimeZone } from '../../core/scalars.js';
import type { SaidSettings, Site } from '../../core/site.js';

/** The site's settings: one row, which a process reads at most once a second. */
@ObjectType('Site', { description: 'The site: its name, its time zone and what is usual in it.' })
export class SiteSettings implements Site {
  @CacheId('the site')
  readonly key?: string = globalId('Site', 1);

  @Version()
  version!: number;

  @Visible({ description: 'Name of the site.' })
  title!: string;

  @Visible({ description: 'What the site is, in a line.' })
  tagline!: string;

  @Visible(() => TimeZone, {
    description:
      'The time zone in which content shows its dates, and by which members are ' +
      'reminded of whom no other zone is known. Default UTC.',
  })
  timeZone!: string;

  /** The category given to a post that has none. */
  defaultCategoryId!: number;

  /** The page that has the address of the site; null where there is none. */
  frontPageId!: number | null;

  /** The page that lists posts; null where there is none. */
  postsPageId!: number | null;

  /** What an imported site said of its zone and its front page; null where none was imported. */
  said!: SaidSettings | null;

  /**
   * The newest IANA release of time zone data with which occurrences were planned; null before the
   * first.
   */
  zoneData!: string | null;
}
