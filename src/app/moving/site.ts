import { Taxonomy } from '../../domains/content/content.enums.js';
import { StartError } from '../../platform/database/database.js';
import { storableText } from '../../platform/storable.js';
import { trimmedEnd } from '../../platform/trim.js';
import { isZone } from '../../platform/zone.js';
import { languageOf } from './accounts.js';
import { dropWrongFrontPage } from './completion.service.js';
import type { ContentSource } from './content-source.js';
import type { ImportedKind, SourceSite } from './kind.js';
import { unserialize } from './php.js';

/** The settings of the original's site, with its texts. */
export type Settings = SourceSite & { readonly title: string; readonly tagline: string };

/**
 * Reads the settings of the original's site. An export does not tell its zone: then it is that of this one.
 * Throws StartError for a zone that is not known here, since all that is due would be at another hour.
 */
export async function readSite(
  content: ContentSource,
  own: { readonly timeZone: string },
): Promise<Settings> {
  const options = await content.settings();
  const named = options.get('timezone_string');
  const offset = options.get('gmt_offset');
  const zone = named || (offset === undefined ? own.timeZone : offsetZone(Number(offset)));
  if (!isZone(zone))
    throw new StartError(
      `The time zone of the original, ${named || `UTC and ${offset} hours`}, is not known here: choose a city in its settings.`,
    );
  const front = options.get('show_on_front');
  const frontPageId = front === 'page' ? numberIn(options.get('page_on_front')) : 0;
  const sticky = unserialize(options.get('sticky_posts') ?? '');
  return {
    home: trimmedEnd(options.get('home') ?? '', '/'),
    title: storableText(options.get('blogname') ?? ''),
    tagline: storableText(options.get('blogdescription') ?? ''),
    timeZone: zone,
    languageId: languageOf(options.get('WPLANG') ?? ''),
    defaultCategoryId: numberIn(options.get('default_category')),
    frontPageId: front === undefined ? undefined : frontPageId,
    postsPageId: front === undefined ? undefined : numberIn(options.get('page_for_posts')),
    sticky: new Set(sticky instanceof Map ? [...sticky.values()].map(Number) : []),
  };
}

/**
 * The settings of the site, as one row. What the source does not tell, and a category or a page that is not
 * imported, stays as it is here.
 */
export const siteKind = (settings: Settings): ImportedKind => ({
  name: 'site',
  from: 'options',
  table: 'site',
  columns: [
    ...['title', 'tagline', 'time_zone', 'default_category_id', 'front_page_id', 'posts_page_id'],
  ],
  // Each database has one from the beginning.
  unused: 'i.id IS NULL',
  rows: async () => ({
    count: 1,
    batches: (async function* () {
      yield [{ id: 1 }];
    })(),
  }),
  async map({ context: { db }, vocabularies }) {
    const here = await db.site.findUniqueOrThrow({ where: { id: 1 } });
    const { title, tagline, timeZone, defaultCategoryId } = settings;
    const hasCategory = vocabularies.get(defaultCategoryId) === Taxonomy.CATEGORY;
    const frontPageId = settings.frontPageId ?? here.frontPageId ?? 0;
    const postsPageId = settings.postsPageId ?? here.postsPageId ?? 0;
    const categoryId = defaultCategoryId || here.defaultCategoryId;
    return [
      {
        own: {
          ...{ id: 1, title, tagline, time_zone: timeZone },
          default_category_id: hasCategory ? defaultCategoryId : here.defaultCategoryId,
          ...{ front_page_id: frontPageId || null, posts_page_id: postsPageId || null },
        },
        place: 'of the site',
        source: [title, tagline, timeZone, categoryId, frontPageId, postsPageId],
      },
    ];
  },
  async complete(db) {
    await db.$executeRaw`UPDATE site SET version = version + 1 WHERE id = 1`;
    await dropWrongFrontPage(db);
  },
});

/** Returns the number of a row that a setting names; 0 for none. */
function numberIn(setting = ''): number {
  const number = /^\d{1,10}$/.test(setting) ? Number(setting) : 0;
  return number < 2 ** 31 ? number : 0;
}

/** Zones whose clocks are ahead of UTC by part of an hour, and have not changed since 1990. */
const PART_HOURS: Readonly<Record<number, string>> = {
  [-9.5]: 'Pacific/Marquesas',
  4.5: 'Asia/Kabul',
  5.5: 'Asia/Kolkata',
  5.75: 'Asia/Kathmandu',
  6.5: 'Asia/Yangon',
  9.5: 'Australia/Darwin',
};

/** Returns the zone of hours ahead of UTC; empty for some parts of hours, which have no IANA name. */
function offsetZone(hours: number): string {
  if (hours === 0) return 'UTC';
  return Number.isInteger(hours)
    ? `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`
    : (PART_HOURS[hours] ?? '');
}
