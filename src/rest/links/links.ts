import { linksOfContent } from './content-links.js';
import { embedded } from './embed.js';
import { HIDDEN, type Hidden, type Item } from './hidden.js';
import { KINDS, type Kind, TERMS } from './kinds.js';
import { linksOfMedium } from './medium-links.js';
import type { Links } from './relation.js';
import { linksOfTerm } from './term-links.js';
import { linksOfUser } from './user-links.js';

/** How the links of a response are shown. */
export interface LinkView {
  /** Address of the API. */
  readonly root: string;
  readonly editing: boolean;
  /** Relations to show; undefined for all, null for none. */
  readonly rels: ReadonlySet<string> | undefined | null;
  readonly embedding: boolean;
}

const kindOf = (name: string | undefined) => (name ? KINDS[name] : undefined);

/**
 * Returns the addresses of an item's own route and of its page; undefined for what has none.
 */
export function addressesOf(
  item: unknown,
  root: string,
): { self: string; page: string } | undefined {
  const { _kind, _id, _link, _medium } = (item ?? {}) as Hidden;
  if (_medium) return { self: `${root}/wp/v2/media/${_medium}`, page: _link ?? '' };
  const kind = kindOf(_kind);
  return kind && { self: `${root}/${kind.base}/${_id}`, page: _link ?? '' };
}

/** Puts `_links` and `_embedded` on an item in place of its hidden fields. */
export function link(item: Item, view: LinkView): void {
  const hidden = item as Hidden;
  const kind = kindOf(hidden._kind);
  const links = view.rels === null ? undefined : linksOf(hidden, kind, view);
  if (links) item._links = links;
  if (links && kind && view.embedding) embed(item, links, kind, view.root);
  if (hidden._term && item.parent !== undefined) item.parent = parentOfTerm(item, hidden);
  for (const name in item) if (HIDDEN.has(name)) item[name] = undefined;
}

/** Returns the links of an item that are shown; undefined for an item without any. */
function linksOf(
  hidden: Hidden,
  kind: Kind | undefined,
  { root, editing, rels }: LinkView,
): Links | undefined {
  const revised = kindOf(hidden._of);
  if (revised) return linksOfRevision(hidden, revised, root, rels);
  const links = kind ? linksOfContent(hidden, kind, root, editing) : platformLinks(hidden, root);
  if (!links || !rels) return links;
  return Object.fromEntries(Object.entries(links).filter(([rel]) => rels.has(rel)));
}

function linksOfRevision(
  { _parent: parent }: Hidden,
  { base }: Kind,
  root: string,
  rels: LinkView['rels'],
): Links | undefined {
  if (!parent || (rels && !rels.has('parent'))) return undefined;
  return { parent: [{ href: `${root}/${base}/${parent}` }] };
}

/** Returns the links of what is not content. */
function platformLinks(
  { _term, _taxonomy = '', _up, _user, _medium, _author }: Hidden,
  root: string,
): Links | undefined {
  if (_term) return linksOfTerm(_term, _taxonomy, _up, root);
  if (_user) return linksOfUser(_user, root);
  return _medium ? linksOfMedium(_medium, _author ?? 0, root) : undefined;
}

function embed(item: Item, links: Links, kind: Kind, root: string): void {
  const { _embed_up: up } = item as Hidden;
  if (up && links.up) link(up, { root, editing: false, rels: undefined, embedding: false });
  const lists = embedded(item, links, kind, root);
  if (lists) item._embedded = lists;
}

/** Returns the term above a term: 0 for none; flat taxonomies do not show it. */
const parentOfTerm = (item: Item, { _taxonomy = '' }: Hidden) =>
  TERMS.get(_taxonomy)?.[2] ? undefined : (item.parent ?? 0);
