import { TERMS } from './kinds.js';
import { CURIES, type Links, READ_ONLY } from './relation.js';

/** Returns the links of a term. */
export function linksOfTerm(
  id: number,
  taxonomy: string,
  parent: number | null | undefined,
  root: string,
): Links {
  const [kind, base, flat] = TERMS.get(taxonomy) ?? ['', taxonomy, true];
  const collection = `${root}/wp/v2/${base}`;
  return {
    self: [{ href: `${collection}/${id}`, targetHints: READ_ONLY }],
    collection: [{ href: collection }],
    ...(!flat && parent ? { up: [{ embeddable: true, href: `${collection}/${parent}` }] } : {}),
    'wp:post_type': [{ href: `${root}/${kind}?${base}=${id}` }],
    curies: CURIES,
  };
}
