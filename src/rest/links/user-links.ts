import { type Links, READ_ONLY } from './relation.js';

/** Returns the links of a user. */
export function linksOfUser(id: number, root: string): Links {
  const collection = `${root}/wp/v2/users`;
  return {
    self: [{ href: `${collection}/${id}`, targetHints: READ_ONLY }],
    collection: [{ href: collection }],
  };
}
