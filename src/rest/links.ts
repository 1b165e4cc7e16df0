/** One entry of a relation. */
type Link = { href: string } & Record<string, unknown>;
export type Links = Record<string, Link[]>;
type Item = Record<string, unknown>;

/**
 * What is known of an item beside what is shown: the `_` aliases of its Links fragment, read here
 * and then taken off.
 */
interface Hidden {
  _kind?: string;
  _id?: number;
  _link?: string;
  _author?: number;
  _media?: number;
  _parent?: number;
  _revisions?: number;
  _latest?: number | null;
  _can?: Record<string, boolean>;
  _embed_author?: Item | null;
  _embed_wp_term?: Item[] | null;
  _embed_up?: Item | null;
  _embed_wp_featuredmedia?: Item | null;
  /** Of a revision: the kind of the item that it is of. */
  _of?: string;
  /**
   * Of a term or a user on a route of its own: its id, and for a term its taxonomy and the term
   * above.
   */
  _term?: number;
  _taxonomy?: string;
  _up?: number | null;
  _user?: number;
  /** Of a medium on a route of its own. */
  _medium?: number;
}

const HIDDEN: readonly (keyof Hidden)[] = [
  '_kind',
  '_id',
  '_link',
  '_author',
  '_media',
  '_parent',
  '_revisions',
  '_latest',
  '_can',
  '_embed_author',
  '_embed_wp_term',
  '_embed_up',
  '_embed_wp_featuredmedia',
  '_of',
  '_term',
  '_taxonomy',
  '_up',
  '_user',
  '_medium',
];

type Taxonomy = readonly [name: string, base: string, flat: boolean];

/** Where content of a kind stands, and which relations it has. */
interface Kind {
  readonly base: string;
  readonly taxonomies: readonly Taxonomy[];
  /** Author and comments. */
  readonly written: boolean;
  readonly revisions: boolean;
}

const KINDS: Readonly<Record<string, Kind>> = {
  post: {
    base: 'v1/posts',
    written: true,
    revisions: true,
    taxonomies: [
      ['category', 'categories', false],
      ['post_tag', 'tags', true],
    ],
  },
  page: { base: 'v1/pages', written: true, revisions: true, taxonomies: [] },
  healthcare: {
    base: 'v1/healthcare',
    written: false,
    revisions: false,
    taxonomies: [
      ['healthcare_category', 'healthcare_category', false],
      ['language', 'language', true],
      ['location', 'location', false],
      ['therapeutic_area', 'therapeutic_area', true],
    ],
  },
};
const CURIES: Link[] = [{ name: 'wp', href: 'https://api.w.org/{rel}', templated: true }];

/** Address of an item's own route, and of its page. */
export function addressesOf(
  item: unknown,
  root: string,
): { self: string; page: string } | undefined {
  const { _kind, _id, _link } = (item ?? {}) as Hidden;
  const kind = _kind ? KINDS[_kind] : undefined;
  return kind && { self: `${root}/${kind.base}/${_id}`, page: _link ?? '' };
}

/** How the links of an answer are shown. */
export interface LinkView {
  readonly root: string;
  readonly editing: boolean;
  /** Relations to show; undefined for all, null for none. */
  readonly rels: ReadonlySet<string> | undefined | null;
  readonly embedding: boolean;
}

/** Puts `_links` and `_embedded` on an item in place of its hidden fields. */
export function link(item: Item, view: LinkView): void {
  const hidden = item as Hidden;
  const kind = hidden._kind ? KINDS[hidden._kind] : undefined;
  if (kind && view.rels !== null) {
    const links = linksOfContent(hidden, kind, view);
    item._links = view.rels
      ? Object.fromEntries(Object.entries(links).filter(([rel]) => view.rels?.has(rel)))
      : links;
    if (view.embedding) embed(item, hidden, kind, view);
  }
  if (hidden._term && item.parent !== undefined)
    item.parent = TERMS.get(hidden._taxonomy ?? '')?.[2] ? undefined : (item.parent ?? 0);
  const links = view.rels !== null && platformLinks(hidden, view.root);
  if (links) {
    item._links = view.rels
      ? Object.fromEntries(Object.entries(links).filter(([rel]) => view.rels?.has(rel)))
      : links;
  }
  const parent = hidden._of ? KINDS[hidden._of] : undefined;
  if (parent && hidden._parent && (!view.rels || view.rels.has('parent'))) {
    if (view.rels !== null)
      item._links = { parent: [{ href: `${view.root}/${parent.base}/${hidden._parent}` }] };
  }
  for (const name of HIDDEN) if (name in hidden) hidden[name] = undefined;
}

/** The links of what is not content. */
function platformLinks(
  { _term, _taxonomy = '', _up, _user, _medium, _author }: Hidden,
  root: string,
): Links | undefined {
  if (_term) return linksOfTerm(_term, _taxonomy, _up, root);
  if (_user) return linksOfUser(_user, root);
  return _medium ? linksOfMedium(_medium, _author ?? 0, root) : undefined;
}

function linksOfContent(
  item: Hidden,
  { base, taxonomies, written, revisions }: Kind,
  { root, editing }: LinkView,
): Links {
  const { _id: id, _kind: kind, _can: can = {} } = item;
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
  if (editing) {
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
    for (const [action, permitted] of actions)
      if (permitted) links[`wp:action-${action}`] = [{ href: self }];
  }
  links.curies = CURIES;
  return links;
}

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

/** `_embedded`: for each relation asked for, a list beside the list of its links. */
function embed(item: Item, hidden: Hidden, { taxonomies }: Kind, { root }: LinkView): void {
  const links = item._links as Links;
  const embedded: Record<string, unknown[]> = {};
  if (hidden._embed_author !== undefined && links.author) {
    embedded.author = [hidden._embed_author ? userOf(hidden._embed_author, root) : MISSING_USER];
  }
  if (hidden._embed_wp_term && links['wp:term']) {
    const terms = hidden._embed_wp_term;
    embedded['wp:term'] = taxonomies.map(([name]) =>
      terms.filter((term) => term.taxonomy === name).map((term) => termOf(term, root)),
    );
  }
  if (hidden._embed_wp_featuredmedia !== undefined && links['wp:featuredmedia']) {
    const medium = hidden._embed_wp_featuredmedia;
    embedded['wp:featuredmedia'] = [
      medium
        ? { ...medium, _links: linksOfMedium(medium.id as number, medium.author as number, root) }
        : MISSING_ITEM,
    ];
  }
  if (hidden._embed_up !== undefined && links.up) {
    const up = hidden._embed_up;
    if (up) link(up, { root, editing: false, rels: undefined, embedding: false });
    embedded.up = [up ?? MISSING_ITEM];
  }
  if (Object.keys(embedded).length > 0) item._embedded = embedded;
}

const userOf = (user: Item, root: string): Item => ({
  ...user,
  _links: linksOfUser(user.id as number, root),
});

function linksOfUser(id: number, root: string): Links {
  const collection = `${root}/wp/v2/users`;
  return { self: [{ href: `${collection}/${id}` }], collection: [{ href: collection }] };
}

function linksOfMedium(id: number, author: number, root: string): Links {
  const collection = `${root}/wp/v2/media`;
  return {
    self: [{ href: `${collection}/${id}` }],
    collection: [{ href: collection }],
    author: [{ embeddable: true, href: `${root}/wp/v2/users/${author}` }],
    curies: CURIES,
  };
}

function termOf({ parentId, ...term }: Item, root: string): Item {
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

function linksOfTerm(
  id: number,
  taxonomy: string,
  parent: number | null | undefined,
  root: string,
): Links {
  const [kind, base, flat] = TERMS.get(taxonomy) ?? ['', taxonomy, true];
  const collection = `${root}/wp/v2/${base}`;
  return {
    self: [{ href: `${collection}/${id}` }],
    collection: [{ href: collection }],
    ...(!flat && parent ? { up: [{ embeddable: true, href: `${collection}/${parent}` }] } : {}),
    'wp:post_type': [{ href: `${root}/${kind}?${base}=${id}` }],
    curies: CURIES,
  };
}

/** Which content a taxonomy files, its base, and whether it is flat. */
const TERMS = new Map(
  Object.values(KINDS).flatMap((kind) =>
    kind.taxonomies.map(([name, base, flat]) => [name, [kind.base, base, flat] as const]),
  ),
);
