import { CURIES, type Links, READ_ONLY } from './relation.js';

/** Returns the links of a medium. */
export function linksOfMedium(id: number, author: number, root: string): Links {
  const collection = `${root}/wp/v2/media`;
  return {
    self: [{ href: `${collection}/${id}`, targetHints: READ_ONLY }],
    collection: [{ href: collection }],
    author: [{ embeddable: true, href: `${root}/wp/v2/users/${author}` }],
    curies: CURIES,
  };
}
