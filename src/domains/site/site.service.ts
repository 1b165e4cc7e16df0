import type { RequestContext } from '../../core/context.js';
import type { Deps } from '../../core/deps.js';
import { refuse } from '../../core/errors.js';
import { refuseStale } from '../../core/row.js';
import { hold, transact } from '../../core/transact.js';
import { Prisma } from '../../generated/prisma/client.js';
import { recordAudit } from '../audit/audit.service.js';
import { Language } from './language.types.js';
import type { UpdateSiteInput } from './site.inputs.js';
import { SiteSettings } from './site.types.js';

const FRESH_FOR = 1000;
/** Through the driver: every process reads it as long as it lives, also without other work. */
const SITE = `
  SELECT title, tagline, time_zone AS "timeZone", default_category_id AS "defaultCategoryId",
         front_page_id AS "frontPageId", posts_page_id AS "postsPageId", said, zone_data AS "zoneData", version
  FROM site WHERE id = 1`;
/**
 * How often this process has changed the site of each database. A change makes the readers read
 * again.
 */
const changes = new WeakMap<Deps['database'], number>();

/**
 * Returns a function that reads the settings of the site, for every request's context. It reads at
 * most once a second, and after each change by this process.
 */
export function siteReader({
  database,
  clock,
}: Pick<Deps, 'database' | 'clock'>): () => Promise<SiteSettings> {
  let settings: Promise<SiteSettings> | undefined;
  let readAt = 0;
  let seen: number | undefined;
  const read = async () => {
    const [row] = await database.query<SiteSettings>(SITE);
    if (!row) throw new Error('The table site has no row.');
    return siteOf(row);
  };
  return () => {
    if (settings && Math.abs(clock() - readAt) < FRESH_FOR && seen === changes.get(database))
      return settings;
    readAt = clock();
    seen = changes.get(database);
    settings = read();
    settings.catch(() => {
      settings = undefined;
    });
    return settings;
  };
}

const siteOf = (row: object) => Object.assign(new SiteSettings(), row);

/**
 * Changes the site, audited. Throws TITLE_INVALID for a title that is blank or not one line, and
 * for a tagline that is not one line; CONFLICT.
 */
export async function updateSite(
  context: RequestContext,
  { version, title, tagline, timeZone }: UpdateSiteInput,
): Promise<SiteSettings> {
  if (typeof title === 'string' && (!title.trim() || !isLine(title))) {
    throw refuse('TITLE_INVALID', 'The title is one line, and not empty.', { param: 'title' });
  }
  if (typeof tagline === 'string' && !isLine(tagline))
    throw refuse('TITLE_INVALID', 'The tagline is one line.', { param: 'tagline' });
  const sent = Object.entries({ title, tagline, timeZone }).filter(
    ([, value]) => typeof value === 'string',
  );
  const work = (inner: RequestContext) =>
    change(inner, Object.fromEntries(sent) as Partial<Settings>, version);
  await transact(context, work, { replayable: true });
  changes.set(context.deps.database, (changes.get(context.deps.database) ?? 0) + 1);
  return siteOf(await context.db.site.findUniqueOrThrow({ where: { id: 1 } }));
}

type Settings = Pick<SiteSettings, 'title' | 'tagline' | 'timeZone'>;

async function change(
  inner: RequestContext,
  sent: Partial<Settings>,
  version: number | null | undefined,
): Promise<number> {
  await hold(inner, 'site');
  const before = await inner.db.site.findUniqueOrThrow({ where: { id: 1 } });
  refuseStale('site', before, version);
  const changed = Object.entries(sent).filter(
    ([name, value]) => before[name as keyof Settings] !== value,
  );
  if (changed.length === 0) return before.id;
  const data = Object.fromEntries(changed) as Partial<Settings>;
  await inner.db.site.update({
    where: { id: 1 },
    data: {
      ...data,
      ...(data.timeZone && { zoneChangedAt: inner.now() }),
      version: { increment: 1 },
    },
  });
  const detail = changed.flatMap(([name, value]) => [
    [`${name}Before`, before[name as keyof Settings]],
    [`${name}After`, value],
  ]);
  await recordAudit(inner, {
    action: 'site.update',
    subjectId: null,
    detail: Object.fromEntries(detail),
  });
  return before.id;
}

/** Returns whether a text is one line without control characters. */
export const isLine = (text: string): boolean => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text);

/**
 * Applies the site settings of the configuration on the first start. Settings that are not
 * configured stay. Runs within a transaction.
 */
export async function setUpSite(inner: RequestContext): Promise<void> {
  const { SITE_TITLE: title, SITE_TAGLINE: tagline, SITE_TIME_ZONE: timeZone } = inner.deps.config;
  await inner.db.site.update({
    where: { id: 1 },
    data: dropUndefined({ title, tagline, timeZone }),
  });
}

const dropUndefined = <T extends object>(values: T) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: NonNullable<T[K]>;
  };

/** Returns the languages that an account can choose, in the order of their ids. */
export async function languages(context: RequestContext): Promise<Language[]> {
  const rows = await context.rows<Language>(
    Prisma.sql`SELECT id, code, name FROM language ORDER BY id`,
  );
  return rows.map((row) => Object.assign(new Language(), row));
}

/** Returns the languages of these ids. */
export const languagesById = async (
  context: RequestContext,
  ids: readonly number[],
): Promise<Language[]> => (await languages(context)).filter(({ id }) => ids.includes(id));
