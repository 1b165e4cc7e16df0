import type { RequestContext } from '../../../core/context.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { slugsSpelledBy } from '../rendering/slug.js';
import { KINDS } from './item.kinds.js';
import { ALL_COLUMNS, type ItemRow } from './item.row.js';
import { selectItems } from './item-row.service.js';

const { sql } = Prisma;
const EVERY_KIND = Object.keys(KINDS);

/** What an address names: an item by its number, or by the parts of the path that must lead to it. */
type Named = { readonly id: number } | { readonly parts: readonly string[] };

/** The parameters of plain addresses. */
const NUMBERED = ['p', 'page_id'];

/**
 * Returns the published item whose page stands at an address of this site; undefined when there is
 * none. The address may have either protocol and a fragment. `?p=ID` and `?page_id=ID` are read as
 * well. The address of the site is that of its front page, if it has one. Where a page and a post share an address, it is the page's.
 *
 * The case of the host does not count (RFC 3986, 6.2.2.1), that of the path of the site does. Below
 * it a part of a path may be written as slugs may be: each spelling leads to the same page
 * (docs/behaviour.md 4.1 and 13.3).
 */
export async function publishedItemAt(
  context: RequestContext,
  address: string,
): Promise<ItemRow | undefined> {
  const named = namedBy(address, context);
  if (!named) return undefined;
  const which =
    'id' in named
      ? sql`p.id = ${named.id}`
      : sql`p.slug = ANY(${slugsSpelledBy(named.parts.at(-1) ?? '')}::text[])
          ORDER BY p.kind = 'page' DESC, p.id LIMIT 100`;
  const rows = await context.rows<ItemRow>(
    sql`${selectItems('any', ALL_COLUMNS)} WHERE p.status = 'publish'
      AND p.kind = ANY(${EVERY_KIND}) AND ${which}`,
  );
  return rows.find((row) => 'id' in named || leadsTo(named.parts, pathOf(row)));
}

/** Returns the path of the page of an item below the address of the site. */
const pathOf = (row: ItemRow) => KINDS[row.kind].path(row.path ?? row.slug);

/** Returns whether the parts of a path are spellings of those of the path of a page. */
function leadsTo(parts: readonly string[], path: string): boolean {
  const own = partsOf(path);
  return (
    own.length === parts.length &&
    parts.every((part, i) => slugsSpelledBy(part).includes(own[i] as string))
  );
}

const partsOf = (path: string) => path.split('/').filter(Boolean);

function namedBy(address: string, { siteUrl, site }: RequestContext): Named | undefined {
  const path = pathBelow(address, siteUrl);
  if (path === undefined) return undefined;
  const { searchParams } = new URL(address);
  for (const parameter of NUMBERED) {
    const id = searchParams.get(parameter);
    if (id !== null) return path === '/' ? numbered(id) : undefined;
  }
  const parts = partsOf(path);
  if (parts.length > 0) return { parts };
  return site.frontPageId ? { id: site.frontPageId } : undefined;
}

/** Numbers beyond those of PostgreSQL's integers name nothing. */
const numbered = (id: string): Named | undefined =>
  /^[1-9]\d{0,9}$/.test(id) && Number(id) < 2 ** 31 ? { id: Number(id) } : undefined;

/** Returns the path of an address below the site's; undefined for the addresses of others. */
function pathBelow(address: string, siteUrl: string): string | undefined {
  if (address.length > 2000 || !/^https?:/i.test(address) || !URL.canParse(address))
    return undefined;
  const url = new URL(address);
  const site = new URL(siteUrl);
  const below = site.pathname.replace(/\/$/, '');
  const ours = hostOf(url) === hostOf(site) && !url.username && !url.password;
  if (!ours || !`${url.pathname}/`.startsWith(`${below}/`)) return undefined;
  return url.pathname.slice(below.length) || '/';
}

/** Returns the host with its port, where the usual ports of both protocols are the same. */
const hostOf = ({ hostname, port }: URL) =>
  `${hostname}:${port === '80' || port === '443' ? '' : port}`;
