/** One entry of a relation. */
type Link = { href: string } & Record<string, unknown>;

/** `_links`: the entries of each relation. */
export type Links = Record<string, Link[]>;

/** Says what the prefix `wp:` of a relation stands for. */
export const CURIES: Link[] = [{ name: 'wp', href: 'https://api.w.org/{rel}', templated: true }];

/** What may be done with users, terms and media, which are read alone (docs/behaviour.md 5.6). */
export const READ_ONLY = { allow: ['GET'] };
