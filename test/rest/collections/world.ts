import type { Caller, Harness } from '../../support/harness.js';

/** A post as the model knows it. */
export interface Item {
  id: number;
  date: number;
  modified: number;
  status: string;
  slug: string;
  author: number;
  title: string;
  content: string;
  excerpt: string;
  protected: boolean;
  sticky: boolean;
  format: string;
  categories: number[];
  tags: number[];
}

/** Terms as a list of ids, or as an object that says more. */
export type Terms =
  | number[]
  | { terms: number[]; include_children?: boolean; operator?: 'AND' | 'OR' };

export interface Query {
  search?: string;
  search_columns?: string[];
  search_semantics?: 'exact';
  status?: string[];
  author?: number[];
  author_exclude?: number[];
  include?: number[];
  exclude?: number[];
  slug?: string[];
  categories?: Terms;
  categories_exclude?: Terms;
  tags?: Terms;
  tags_exclude?: Terms;
  tax_relation?: 'AND' | 'OR';
  sticky?: boolean;
  format?: string[];
  after?: string;
  before?: string;
  modified_after?: string;
  modified_before?: string;
  orderby?: string;
  order?: 'asc' | 'desc';
  per_page?: number;
  page?: number;
  offset?: number;
}

export type Outcome = { ids: number[]; total: number; pages: number } | { code: string };

/** The site that the lists are of: who there is, the terms, and every post of every status. */
export interface World {
  accounts: Record<'editor' | 'author' | 'contributor', number>;
  /** Categories: the default, one with a child, that child, its child, one that stands alone. */
  categories: number[];
  /** For each category all that stand below it. */
  below: Map<number, number[]>;
  tags: number[];
  items: Item[];
}

export async function makeWorld(service: Harness): Promise<World> {
  const accounts = { editor: 0, author: 0, contributor: 0 };
  for (const role of ['editor', 'author', 'contributor'] as const)
    accounts[role] = (await service.account(role)).id;
  const parent = await service.term('CATEGORY', 'Parent');
  const child = await service.term('CATEGORY', 'Child', parent);
  const grandchild = await service.term('CATEGORY', 'Grandchild', child);
  const alone = await service.term('CATEGORY', 'Alone');
  const [red, blue] = [await service.term('TAG', 'Red'), await service.term('TAG', 'Blue')];
  const posts: [as: 'editor' | 'author' | 'contributor', fields: object][] = [
    [
      'editor',
      {
        title: 'Quiet sea',
        content: 'waves',
        categories: [parent],
        tags: [red, blue],
        sticky: true,
      },
    ],
    ['editor', { title: 'Sea quiet', content: 'stones', categories: [child], tags: [red] }],
    [
      'author',
      {
        title: 'quiet Morning',
        content: 'nothing but sea',
        categories: [grandchild],
        format: 'aside',
      },
    ],
    [
      'author',
      {
        title: 'Évening',
        content: 'A quiet sea at night',
        excerpt: 'stars',
        categories: [alone],
        tags: [blue],
      },
    ],
    [
      'editor',
      {
        title: 'evening',
        content: 'dark',
        excerpt: 'the quiet sea',
        categories: [parent, alone],
        format: 'quote',
      },
    ],
    [
      'author',
      { title: '', content: 'waves', categories: [], sticky: true, format: 'aside', tags: [red] },
    ],
    [
      'editor',
      {
        title: 'Waves 10',
        content: 'locked waves at sea',
        password: 'secret',
        categories: [child, alone],
      },
    ],
    ['editor', { title: 'Waves 2', content: 'x', categories: [parent, child], tags: [blue] }],
    ['author', { title: 'waves', content: 'y', status: 'draft', tags: [red], sticky: true }],
    ['contributor', { title: 'Sea of drafts', content: 'z', status: 'draft', categories: [child] }],
    ['contributor', { title: 'Pending', content: 'quiet', status: 'pending', slug: 'pending-one' }],
    ['author', { title: 'Private sea', content: 'w', status: 'private', categories: [alone] }],
    [
      'editor',
      { title: 'Private', content: 'waves', status: 'private', tags: [blue], format: 'quote' },
    ],
    [
      'editor',
      { title: 'Future sea', content: 'v', status: 'publish', date: '2090-01-01T00:00:00' },
    ],
    ['author', { title: 'Binned', content: 'sea', status: 'trash', categories: [parent] }],
    ['editor', { title: 'Binned', content: 'u', status: 'trash', tags: [red] }],
  ];
  const items: Item[] = [];
  for (const [i, [as, { status = 'publish', ...fields }]] of (
    posts as [Caller, { status?: string }][]
  ).entries()) {
    const date = `2026-01-0${1 + (i % 5)}T12:00:00`;
    const made = await service.posted(
      { date, ...fields, status: status === 'trash' ? 'publish' : status },
      as,
    );
    const path = `/v1/posts/${made.id}`;
    const { body } =
      status === 'trash' ? await service.rest('DELETE', path, { as: 'editor' }) : { body: made };
    items.push({
      id: body.id,
      date: Date.parse(`${body.date_gmt}Z`),
      modified: Date.parse(`${body.modified_gmt}Z`),
      status: body.status,
      slug: body.slug,
      author: body.author,
      title: body.title.raw,
      content: body.content.raw,
      excerpt: body.excerpt.raw,
      protected: body.password !== '',
      sticky: body.sticky,
      format: body.format,
      categories: body.categories,
      tags: body.tags,
    });
  }
  const below = new Map([
    [parent, [child, grandchild]],
    [child, [grandchild]],
  ]);
  return {
    accounts,
    categories: [1, parent, child, grandchild, alone],
    below,
    tags: [red, blue],
    items,
  };
}
