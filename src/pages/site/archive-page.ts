import { graphql } from 'graphql';
import { authorBySlug } from '../../domains/content/author/author.service.js';
import { Taxonomy } from '../../domains/content/content.enums.js';
import { KINDS, type Kind } from '../../domains/content/item/item.kinds.js';
import { termBySlug } from '../../domains/content/term/term.service.js';
import { html, Markup } from '../html.js';
import { sendSitePage } from './layout.js';
import type { Visited } from './visited.js';

/** The lists that archives show, by what they list. */
const LISTS = {
  post: 'posts',
  page: 'pages',
  healthcare: 'healthcareItems',
} as const satisfies Record<Kind, string>;

/** The field of a filter that holds the terms of a vocabulary. */
const FILTERS: Readonly<Record<Taxonomy, string>> = {
  [Taxonomy.CATEGORY]: 'categories',
  [Taxonomy.TAG]: 'tags',
  [Taxonomy.HEALTHCARE_CATEGORY]: 'healthcareCategories',
  [Taxonomy.LANGUAGE]: 'languages',
  [Taxonomy.LOCATION]: 'locations',
  [Taxonomy.THERAPEUTIC_AREA]: 'therapeuticAreas',
};

/** What an archive lists. */
interface Archive {
  readonly title: string;
  readonly kind: Kind;
  readonly filter: object;
  /** Address without a query. */
  readonly address: string;
}

interface Listed {
  readonly nodes: readonly { title: string; url: string; publishedAt: string | Date }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/**
 * Lists what an author published, or what is filed under a term, at the address of either: 20 on a
 * page, the newest first. `after` continues behind a cursor of the graph.
 */
export async function archivePage(visited: Visited): Promise<boolean> {
  const { app, context, address, site, response } = visited;
  const archive = await archiveAt(visited);
  if (!archive) return false;
  const after = address.searchParams.get('after');
  const list = LISTS[archive.kind];
  const { data } = await graphql({
    schema: app.schema,
    source: `query($filter: ${filterType(archive.kind)}, $after: String) {
      ${list}(first: 20, after: $after, filter: $filter) {
        nodes { title url publishedAt } pageInfo { hasNextPage endCursor }
      }
    }`,
    variableValues: { filter: archive.filter, after },
    contextValue: context,
  });
  const listed = data?.[list] as Listed | null | undefined;
  if (!listed) return false;
  const { nodes, pageInfo } = listed;
  const next = (pageInfo.hasNextPage && pageInfo.endCursor) || undefined;
  sendSitePage(response, {
    title: html`${archive.title}`.text,
    site,
    head: html`<link rel="canonical" href="${archive.address}">`,
    body: html`<main>
<h1>${archive.title}</h1>
${nodes.length === 0 && html`<p>Nothing is published here yet.</p>`}
<ul>${nodes.map(({ title, url }) => html`<li><a href="${url}">${new Markup(title)}</a></li>`)}</ul>
${next && html`<nav><a rel="next" href="?after=${encodeURIComponent(next)}">Older</a></nav>`}
</main>`,
  });
  return true;
}

const filterType = (kind: Kind) =>
  ({ post: 'PostFilter', page: 'PageFilter', healthcare: 'HealthcareFilter' })[kind];

async function archiveAt({ context, address, site }: Visited): Promise<Archive | undefined> {
  const path = address.pathname.slice(new URL(site.url).pathname.replace(/\/$/, '').length);
  const [, of = '', ...above] = path.toLowerCase().replace(/\/$/, '').split('/');
  const slug = above.pop() ?? '';
  if (of === 'author') {
    const author = await authorBySlug(context, slug);
    if (!author) return undefined;
    const filter = { authorIds: [String(author.id)] };
    return { title: author.name, kind: 'post', filter, address: author.link };
  }
  const taxonomy = TAXONOMIES.get(of);
  const kind = taxonomy && kindFiledBy(taxonomy);
  const term = taxonomy && (await termBySlug(context, taxonomy, slug));
  if (!kind || !term) return undefined;
  const filter = { [FILTERS[taxonomy]]: { anyOf: [String(term.id)], includeDescendants: true } };
  return { title: term.name, kind, filter, address: term.url };
}

/** Vocabularies by the beginning of the addresses of their terms. */
const TAXONOMIES: ReadonlyMap<string, Taxonomy> = new Map(
  Object.values(Taxonomy).map((taxonomy) => [
    taxonomy === Taxonomy.TAG ? 'tag' : taxonomy,
    taxonomy,
  ]),
);

const kindFiledBy = (taxonomy: Taxonomy) =>
  (Object.keys(KINDS) as Kind[]).find((kind) => KINDS[kind].taxonomies.includes(taxonomy));
