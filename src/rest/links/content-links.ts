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
  const { _id: id, _can: can = {} } = item;
  const collection = `${root}/${base}`;
  const self = `${collection}/${id}`;
  const platform = `${root}/wp/v2`;
  const allow = [
    'GET',
    ...(can.edit ? ['POST', 'PUT', 'PATCH'] : []),
    ...(can.delete ? ['DELETE'] : []),
  ];
  const links: Links = {
    self: [{ href: self, targetHints: { allow } }],
    collection: [{ href: collection }],
  };
  if (written) links.author = [{ embeddable: true, href: `${platform}/users/${item._author}` }];
  if (revisions) {
    links['version-history'] = [{ count: item._revisions, href: `${self}/revisions` }];
    if (item._latest)
      links['predecessor-version'] = [
        { id: item._latest, href: `${self}/revisions/${item._latest}` },
      ];
  }
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

/** The actions on an item that the caller may do. */
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
