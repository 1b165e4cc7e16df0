import { CAPABILITIES, type Capability } from '../../core/capabilities.js';
import { Role } from '../../core/roles.js';
import type { SaidSettings } from '../../core/site.js';
import { Taxonomy } from '../../domains/content/content.enums.js';
import { StartError } from '../../platform/database/database.js';
import { storableText } from '../../platform/storable.js';
import { trimmedEnd } from '../../platform/trim.js';
import { isZone } from '../../platform/zone.js';
import { languageOf } from './accounts.js';
import { dropWrongFrontPage } from './completion.service.js';
import type { ContentSource } from './content-source.js';
import type { ImportedKind, SourceSite } from './kind.js';
import { ownNumbers } from './own-number.service.js';
import { type PhpValue, unserialize } from './php.js';

/** The settings of the original's site, with its texts. */
export type Settings = SourceSite & {
  readonly title: string;
  readonly tagline: string;
  /** What of its settings is otherwise here, by the option. */
  readonly differences: readonly (readonly [option: string, reason: string])[];
  /**
   * What the root of its REST interface says, with the zone that its settings have; undefined where the source
   * does not tell it.
   */
  readonly said: Omit<SaidSettings, 'frontPageId' | 'postsPageId'> | undefined;
};

/**
 * Reads the settings of the original's site. Its zone is `chosen` where somebody has named one. An export does
 * not tell it: then it is that of this one. Throws StartError for a zone that is not known here, since all that
 * is due would be at another hour.
 */
export async function readSite(
  content: ContentSource,
  own: { readonly timeZone: string },
  chosen?: string,
): Promise<Settings> {
  const options = await content.settings();
  const named = options.get('timezone_string');
  const offset = options.get('gmt_offset');
  const zone =
    chosen ?? (named || (offset === undefined ? own.timeZone : offsetZone(Number(offset))));
  if (!isZone(zone))
    throw new StartError(
      chosen
        ? `The time zone ${chosen} of --zone is not known here: name a city, such as Europe/Berlin.`
        : `The time zone of the original, ${named || `UTC and ${offset} hours`}, is not known here: name a city by --zone.`,
    );
  const front = options.get('show_on_front');
  const frontPageId = front === 'page' ? numberIn(options.get('page_on_front')) : 0;
  const sticky = unserialize(options.get('sticky_posts') ?? '');
  return {
    home: trimmedEnd(options.get('home') ?? '', '/'),
    uploads: uploadsOf(options),
    differences: differencesOf(options),
    title: storableText(options.get('blogname') ?? ''),
    tagline: storableText(options.get('blogdescription') ?? ''),
    timeZone: zone,
    languageId: languageOf(options.get('WPLANG') ?? ''),
    defaultCategoryId: numberIn(options.get('default_category')),
    frontPageId: front === undefined ? undefined : frontPageId,
    postsPageId: front === undefined ? undefined : numberIn(options.get('page_for_posts')),
    said: saidOf(options, named || zone),
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
    'said',
  ],
  // It follows the others.
  judged: [
    ...['title', 'tagline', 'time_zone', 'default_category_id', 'front_page_id', 'posts_page_id'],
  ],
  // Each database has one from the beginning; a change of it here is counted.
  unused: 'i.id IS NULL AND t.version = 0',
  isSingle: true,
  rows: async () => ({
    count: 1,
    batches: (async function* () {
      yield [{ id: 1 }];
    })(),
  }),
  async map(run) {
    const { context, vocabularies, items, deleted, source } = run;
    const { db } = context;
    const here = await db.site.findUniqueOrThrow({ where: { id: 1 } });
    const { timeZone, defaultCategoryId } = settings;
    const [title, tagline] = source
      ? [settings.title, settings.tagline]
      : [spelled(settings.title, here.title), spelled(settings.tagline, here.tagline)];
    const hasCategory = vocabularies.get(defaultCategoryId) === Taxonomy.CATEGORY;
    const categoryId = hasCategory ? defaultCategoryId : here.defaultCategoryId;
    const isLost = deleted.has(`term ${categoryId}`);
    const pageOf = (told: number | undefined, own: number | null) => {
      if (told === 0) return null;
      return told !== undefined && items.has(told) ? told : own;
    };
    const frontPageId = pageOf(settings.frontPageId, here.frontPageId);
    const postsPageId = pageOf(settings.postsPageId, here.postsPageId);
    const told = settings.said ?? (here.said as unknown as SaidSettings | null);
    const pages = told ? [told.page_on_front, told.page_for_posts] : [];
    const own = await ownNumbers(run, 'content_item', pages);
    const pageSaid = (id: number) => (own.has(id) ? 0 : id);
    const said = told && {
      ...told,
      page_on_front: pageSaid(told.page_on_front),
      page_for_posts: pageSaid(told.page_for_posts),
    };
    return [
      {
        own: {
          ...{ id: 1, title, tagline, time_zone: timeZone },
          default_category_id: isLost ? here.defaultCategoryId : categoryId,
          ...{ front_page_id: frontPageId, posts_page_id: postsPageId },
          said,
        },
        place: 'of the site',
        source: [
          ...[title, tagline, timeZone, categoryId, frontPageId, postsPageId],
          ...[
            said?.timezone_string,
            said?.show_on_front,
            said?.page_on_front,
            said?.page_for_posts,
          ],
        ],
      },
    ];
  },
  async complete(db) {
    await db.$executeRaw`UPDATE site SET version = version + 1 WHERE id = 1`;
    await dropWrongFrontPage(db);
    // What another import said is of the settings that it had.
    if (!settings.said) return;
    await db.$executeRaw`
      UPDATE site SET said = said || jsonb_build_object('frontPageId', front_page_id, 'postsPageId', posts_page_id)`;
  },
});

/** Returns what the root of REST says of a site in a zone; undefined for the options of an export. */
function saidOf(options: ReadonlyMap<string, string>, timeZone: string): Settings['said'] {
  const front = options.get('show_on_front');
  const zone = options.get('timezone_string');
  if (front === undefined && zone === undefined) return undefined;
  return {
    ...{ timeZone, timezone_string: zone ?? '' },
    show_on_front: front ?? 'posts',
    page_on_front: numberIn(options.get('page_on_front')),
    page_for_posts: numberIn(options.get('page_for_posts')),
  };
}

/** Where files are read here. */
export const UPLOADS = '/wp-content/uploads';

/** Returns the address of the folder of uploads, as the original makes it. */
function uploadsOf(options: ReadonlyMap<string, string>): string {
  const site = trimmedEnd(options.get('siteurl') || options.get('home') || '', '/');
  const path = options.get('upload_path') ?? '';
  const isUsual = !path || path.startsWith('/') || `/${path}` === UPLOADS;
  const usual = site + (isUsual ? UPLOADS : `/${trimmedEnd(path, '/')}`);
  const base = trimmedEnd(options.get('upload_url_path') || usual, '/');
  // The first site of a network has no folder of its own.
  const number = Number(options.get('site_number') ?? 0);
  return number > 1 ? `${base}/sites/${number}` : base;
}

/**
 * Returns the path of a folder of uploads below that where files are read here, with a slash at its end or
 * empty; undefined for one that is elsewhere.
 */
export function uploadsBelow({ uploads }: Pick<SourceSite, 'uploads'>): string | undefined {
  const path = `${uploads.replace(/^https?:\/\/[^/]*/, '')}/`;
  return path.startsWith(`${UPLOADS}/`) ? path.slice(UPLOADS.length + 1) : undefined;
}

/** The capabilities of the original by which somebody may do something here. */
const COMPARED: readonly Capability[] = [
  ...CAPABILITIES[Role.AUTHOR],
  ...(['edit_others_posts', 'delete_others_posts', 'read_private_posts', 'edit_pages'] as const),
  ...(['manage_categories', 'unfiltered_html', 'manage_options'] as const),
];

/** Returns what of the settings of the original is not taken over, and is otherwise here. */
function differencesOf(options: ReadonlyMap<string, string>): [string, string][] {
  const found: [string, string][] = [];
  const links = options.get('permalink_structure');
  if (links !== undefined && links !== '/%postname%/')
    found.push([
      'permalink_structure',
      'posts have other addresses there: those of here are /SLUG/',
    ]);
  for (const [option, base] of Object.entries({ category_base: 'category', tag_base: 'tag' }))
    if (![base, ''].includes((options.get(option) ?? '').replace(/^\/|\/$/g, '')))
      found.push([option, `terms have other addresses there: those of here are below /${base}/`]);
  if (uploadsBelow({ uploads: uploadsOf(options) }) === undefined)
    found.push([
      'upload_path',
      `its files are not below ${UPLOADS} there, where they are read here`,
    ]);
  if (Number(options.get('misread_titles') ?? 0) > 0)
    found.push([
      'blog_charset',
      'its texts are UTF-8 in columns of another charset, and come with wrong letters: name that by --charset',
    ]);
  const roles = unserialize(options.get('user_roles') ?? '');
  if (roles instanceof Map)
    for (const [name, role] of roles)
      if (role instanceof Map && hasOtherRights(String(name), role.get('capabilities')))
        found.push(['user_roles', `its role ${name} has other capabilities: those of here count`]);
  if (
    options.get('sticky_posts') &&
    !(unserialize(options.get('sticky_posts') ?? '') instanceof Map)
  )
    found.push(['sticky_posts', 'its list of sticky posts cannot be read: none is sticky']);
  return found;
}

/** Whether a role of ours has other capabilities in the original than here. */
function hasOtherRights(name: string, capabilities: PhpValue | undefined): boolean {
  const own = CAPABILITIES[name as Role] as readonly Capability[] | undefined;
  if (!own || !(capabilities instanceof Map)) return false;
  const has = (one: Capability) => [true, 1, '1'].includes(capabilities.get(one) as string);
  return COMPARED.some((one) => has(one) !== own.includes(one));
}

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

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#039;' },
};

/**
 * Returns a text that an export has of the site, or the one that is here where that differs by entities alone: a
 * database of the original keeps them, and its export has them read.
 */
const spelled = (plain: string, here: string): string => (escaped(plain) === here ? here : plain);

const escaped = (plain: string): string =>
  plain.replace(/&(?!#?\w{1,30};)|[<>"']/g, (found) => ENTITIES[found] ?? found);
