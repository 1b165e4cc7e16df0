import type { Caller } from '../../support/harness.js';
import type { Item, Outcome, Query, Terms, World } from './world.js';

/** A text as searches compare it: without case and accents. */
const bare = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** What the rules of collections make of a query, in memory. */
export class Model {
  constructor(
    private readonly world: World,
    private readonly as: Caller,
    private readonly query: Query,
  ) {}

  outcome(): Outcome {
    const { query } = this;
    const writes = this.as !== 'anonymous' && this.as !== 'subscriber';
    if (query.status?.some((status) => status !== 'publish') && !writes)
      return { code: 'rest_invalid_param' };
    if (query.orderby === 'relevance' && !query.search)
      return { code: 'rest_no_search_term_defined' };
    if (query.orderby === 'include' && !query.include?.length)
      return { code: 'rest_orderby_include_missing_include' };
    const found = this.world.items
      .filter((item) => this.holds(item))
      .sort((a, b) => this.compare(a, b));
    const size = query.per_page ?? 10;
    const pages = Math.ceil(found.length / size);
    const page = query.page ?? 1;
    const start = Math.abs(query.offset ?? (page - 1) * size);
    if (query.offset !== undefined && start >= found.length) return { ids: [], total: 0, pages: 0 };
    if (page > pages && found.length > 0) return { code: 'rest_post_invalid_page_number' };
    const ids = found.slice(start, start + size).map(({ id }) => id);
    return { ids, total: found.length, pages };
  }

  private holds(item: Item): boolean {
    const { query } = this;
    const among = (list: number[] | undefined, value: number) =>
      !list?.length || list.some((id) => Math.abs(id) === value);
    const outside = (list: number[] | undefined, value: number) =>
      !list?.some((id) => Math.abs(id) === value);
    return (
      this.shows(item) &&
      (query.author_exclude?.length
        ? outside(query.author_exclude, item.author)
        : among(query.author, item.author)) &&
      (query.include?.length ? among(query.include, item.id) : outside(query.exclude, item.id)) &&
      (!query.slug?.length || query.slug.includes(item.slug)) &&
      (query.sticky === undefined || query.sticky === item.sticky) &&
      (!query.after || item.date > instant(query.after)) &&
      (!query.before || item.date < instant(query.before)) &&
      (!query.modified_after || item.modified > instant(query.modified_after)) &&
      (!query.modified_before || item.modified < instant(query.modified_before)) &&
      this.filed(item) &&
      this.matches(item)
    );
  }

  /** The status asked for, and the right to read what has it. */
  private shows({ status, author }: Item): boolean {
    const asked = this.query.status ?? ['publish'];
    const signedIn = this.as !== 'anonymous';
    const wanted =
      asked.length === 0
        ? status === 'publish' || (signedIn && status === 'private')
        : asked.includes('any')
          ? status !== 'trash'
          : asked.includes(status);
    return wanted && (status === 'publish' || this.as === 'editor' || this.owns({ author }));
  }

  private owns({ author }: Pick<Item, 'author'>): boolean {
    return (
      this.as !== 'anonymous' &&
      this.as !== 'subscriber' &&
      this.world.accounts[this.as as 'author'] === author
    );
  }

  private filed(item: Item): boolean {
    const { query } = this;
    const clauses = [
      ...this.clause(query.categories, item.categories, false),
      ...this.clause(query.categories_exclude, item.categories, true),
      ...this.clause(query.tags, item.tags, false),
      ...this.clause(query.tags_exclude, item.tags, true),
      ...(query.format?.length ? [query.format.includes(item.format)] : []),
    ];
    return (
      clauses.length === 0 ||
      (query.tax_relation === 'OR' ? clauses.includes(true) : !clauses.includes(false))
    );
  }

  private clause(filter: Terms | undefined, own: number[], exclude: boolean): boolean[] {
    const { terms, include_children, operator } =
      Array.isArray(filter) || !filter
        ? { terms: filter ?? [] }
        : { include_children: false, operator: 'OR', ...filter };
    if (terms.length === 0) return [];
    const wanted = terms
      .map(Math.abs)
      .flatMap((id) => [id, ...(include_children ? (this.world.below.get(id) ?? []) : [])]);
    if (exclude) return [!wanted.some((id) => own.includes(id))];
    return [
      operator === 'AND'
        ? wanted.every((id) => own.includes(id))
        : wanted.some((id) => own.includes(id)),
    ];
  }

  private get terms(): { text: string; negative: boolean }[] {
    const parts = this.query.search?.match(/-?"[^"]+"|\S+/g) ?? [];
    return parts.map((part) => ({
      text: bare(part.replace(/^-/, '').replaceAll('"', '')),
      negative: part.startsWith('-'),
    }));
  }

  private matches(item: Item): boolean {
    const { search, search_semantics, search_columns } = this.query;
    if (!search) return true;
    if (item.protected && this.as !== 'editor' && !this.owns(item)) return false;
    const texts = {
      post_title: item.title,
      post_content: item.content,
      post_excerpt: item.excerpt,
    };
    const columns = (search_columns?.length ? search_columns : Object.keys(texts)).map((name) =>
      bare(texts[name as keyof typeof texts]),
    );
    return this.terms.every(({ text, negative }) => {
      const found = columns.some((column) =>
        search_semantics ? column === text : column.includes(text),
      );
      return found !== negative;
    });
  }

  private compare(a: Item, b: Item): number {
    const { query } = this;
    const sign = query.order === 'asc' ? 1 : -1;
    const byId = sign * (a.id - b.id);
    const inText = (text: (item: Item) => string) => sign * order(text(a), text(b)) || byId;
    switch (query.orderby) {
      case 'id':
      case 'parent':
        return byId;
      case 'author':
        return sign * (a.author - b.author) || byId;
      case 'modified':
        return sign * (a.modified - b.modified) || byId;
      case 'title':
        return inText(({ title }) => bare(title));
      case 'slug':
        return inText(({ slug }) => slug);
      case 'include': {
        const place = ({ id }: Item) =>
          (query.include ?? []).findIndex((wanted) => Math.abs(wanted) === id);
        return place(a) - place(b);
      }
      case 'include_slugs':
        return (
          (query.slug ?? []).indexOf(a.slug) - (query.slug ?? []).indexOf(b.slug) || a.id - b.id
        );
      case 'relevance':
        return this.rank(a) - this.rank(b) || sign * (a.date - b.date) || byId;
      default:
        return sign * (a.date - b.date) || byId;
    }
  }

  /**
   * The phrase in the title, all terms there, some there, the phrase in the excerpt, in the
   * content; of one term, in the title.
   */
  private rank({ title, excerpt, content }: Item): number {
    const phrase = bare((this.query.search ?? '').replaceAll('"', ''));
    const inTitle = this.terms.map(({ text }) => bare(title).includes(text));
    if (inTitle.length === 1) return inTitle[0] ? 0 : 1;
    const ranks = [
      bare(title).includes(phrase),
      !inTitle.includes(false),
      inTitle.includes(true),
      bare(excerpt).includes(phrase),
      bare(content).includes(phrase),
      true,
    ];
    return ranks.indexOf(true);
  }
}

const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const instant = (text: string) => Date.parse(/[Z+]/.test(text) ? text : `${text}Z`);
