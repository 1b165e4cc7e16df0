import type { Links } from './relation.js';

/** Returns the links of a user. */
export function linksOfUser(id: number, root: string): Links {
  const collection = `${root}/wp/v2/users`;
  return { self: [{ href: `${collection}/${id}` }], collection: [{ href: collection }] };
}
