import type { Hidden, Item } from './hidden.js';
import type { Kind } from './kinds.js';
import { linksOfMedium } from './medium-links.js';
import type { Links } from './relation.js';
import { linksOfTerm } from './term-links.js';
import { linksOfUser } from './user-links.js';

const MISSING_ITEM = {
  code: 'rest_post_invalid_id',
  message: 'Invalid post ID.',
  data: { status: 404 },
};
const MISSING_USER = {
  code: 'rest_user_invalid_id',
  message: 'Invalid user ID.',
  data: { status: 404 },
};

/**
 * Returns `_embedded`: for each relation asked for, a list beside the list of its links; undefined
 * for none. `up` is the page above, with its links.
 */
export function embedded(
  hidden: Hidden,
  links: Links,
  { taxonomies }: Kind,
  root: string,
): Item | undefined {
  const {
    _embed_author: author,
    _embed_wp_term: terms,
    _embed_wp_featuredmedia: medium,
    _embed_up: up,
  } = hidden;
  const lists: Item = {};
  if (author !== undefined && links.author)
    lists.author = [author ? userOf(author, root) : MISSING_USER];
  if (terms && links['wp:term']) {
    lists['wp:term'] = taxonomies.map(([name]) =>
      terms.filter((term) => term.taxonomy === name).map((term) => termOf(term, root)),
    );
  }
  if (medium !== undefined && links['wp:featuredmedia']) {
    lists['wp:featuredmedia'] = [medium ? mediumOf(medium, root) : MISSING_ITEM];
  }
  if (up !== undefined && links.up) lists.up = [up ?? MISSING_ITEM];
  return Object.keys(lists).length > 0 ? lists : undefined;
}

const userOf = (user: Item, root: string): Item => ({
  ...user,
  _links: linksOfUser(user.id as number, root),
});

const mediumOf = (medium: Item, root: string): Item => ({
  ...medium,
  _links: linksOfMedium(medium.id as number, medium.author as number, root),
});

function termOf({ _up: parentId, ...term }: Item, root: string): Item {
  return {
    ...term,
    _links: linksOfTerm(
      term.id as number,
      term.taxonomy as string,
      parentId as number | null,
      root,
    ),
  };
}
