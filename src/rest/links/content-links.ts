import type { Hidden } from './hidden.js';
import type { Kind } from './kinds.js';
import { CURIES, type Links } from './relation.js';

/** Returns the links of an item of content. `editing` adds what the caller may do with it. */
export function linksOfContent(
  item: Hidden,
  { base, taxonomies, written, revisions }: Kind,
  root: string,
  editing: boolean,
): Links {
  const { _id: id } = item;
  const collection = `${root}/${base}`;
  const self = `${collection}/${id}`;
  const platform = `${root}/wp/v2`;
  const links: Links = {
    self: [{ href: self, targetHints: { allow: methodsOf(item) } }],
    collection: [{ href: collection }],
  };
  if (written && item._author)
    links.author = [{ embeddable: true, href: `${platform}/users/${item._author}` }];
  if (revisions) Object.assign(links, revisionLinks(item, self));
  if (item._parent) links.up = [{ embeddable: true, href: `${collection}/${item._parent}` }];
  if (item._media)
    links['wp:featuredmedia'] = [{ embeddable: true, href: `${platform}/media/${item._media}` }];
  links['wp:attachment'] = [{ href: `${platform}/media?parent=${id}` }];
  if (taxonomies.length > 0) {
    links['wp:term'] = taxonomies.map(([taxonomy, path]) => ({
      taxonomy,
      embeddable: true,
      href: `${platform}/${path}?post=${id}`,
    }));
  }
  if (editing)
    for (const action of actionsOf(item, taxonomies, written))
      links[`wp:action-${action}`] = [{ href: self }];
  links.curies = CURIES;
  return links;
}

/** Returns the methods that the caller may use on an item. */
const methodsOf = ({ _can: can = {} }: Hidden): string[] => [
  'GET',
  ...(can.edit ? ['POST', 'PUT', 'PATCH'] : []),
  ...(can.delete ? ['DELETE'] : []),
];

/** Returns the links to all revisions of an item, and to its latest if there is one. */
function revisionLinks({ _revisions: count, _latest: id }: Hidden, self: string): Links {
  const links: Links = { 'version-history': [{ count, href: `${self}/revisions` }] };
  if (id) links['predecessor-version'] = [{ id, href: `${self}/revisions/${id}` }];
  return links;
}

/** Returns the actions on an item that the caller may do. */
function actionsOf(
  { _kind: kind, _can: can = {} }: Hidden,
  taxonomies: Kind['taxonomies'],
  written: boolean,
): string[] {
  const actions: [string, boolean | undefined][] = [
    ['publish', can.publish],
    ['unfiltered-html', can.unfilteredHtml],
    ['sticky', kind === 'post' && can.stick],
    ['assign-author', written && can.assignAuthor],
    ...taxonomies.flatMap(([, path, flat]): [string, boolean | undefined][] => [
      [`create-${path}`, flat ? can.createTags : can.createCategories],
      [`assign-${path}`, can.assignTerms],
    ]),
  ];
  return actions.flatMap(([action, permitted]) => (permitted ? action : []));
}
