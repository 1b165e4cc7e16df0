import { basename } from 'node:path';
import { Taxonomy } from '../../../domains/content/content.enums.js';
import { KINDS } from '../../../domains/content/item/item.kinds.js';
import { StartError } from '../../../platform/database/database.js';
import { toldApart } from '../account-twins.js';
import {
  type ContentSource,
  OTHER,
  type OtherRows,
  type Placed,
  type Readable,
} from '../content-source.js';
import { withInsets } from '../insets.js';
import { text } from '../kind.js';
import type { SourceRow } from '../mysql-source.js';
import { RowFile } from './row-file.js';
import { type Element, type Fault, readWxr } from './wxr-reader.js';
import { authorRow, itemOf, termOf, type WxrItem, type WxrTerm } from './wxr-row.js';

/** Texts of the site, and the settings that they are. */
const SETTINGS: Readonly<Record<string, string>> = {
  title: 'blogname',
  description: 'blogdescription',
  'wp:base_blog_url': 'home',
  language: 'WPLANG',
};
/** What of an item is kept in memory. */
interface ItemPlace {
  readonly type: string;
  readonly parent: number;
  readonly status: string;
}
/** What reports call items, by their types. */
const NAMES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, kind])),
  attachment: 'media',
};
const VOCABULARIES = new Set<string>(Object.values(Taxonomy));
/** The states in which the anonymous may read a medium, and what it is attached to. */
const SHOWN = new Set(['inherit', 'publish']);
const UNSLUGGED = new Set(['draft', 'pending', 'auto-draft']);

/** What is not taken while an export is read. */
interface LeftElement {
  /** As reports name it. */
  readonly kind: string;
  /** A file and a line, or an item. */
  readonly at: string;
  readonly outcome: 'skipped' | 'refused';
  readonly reason: string;
}

/**
 * An export of the original (WXR), in one file or in parts. It is read once, and its items are kept in a file
 * meanwhile. It has content alone: no hashes, roles, zone, revisions or models. Of an item that several parts
 * have the first is taken.
 */
export class WxrSource implements ContentSource {
  /** What is not taken, and why: what is no XML, what has no number, and comments. */
  readonly left: LeftElement[] = [];
  readonly #settings = new Map<string, string>();
  readonly #authors = new Map<number, SourceRow>();
  readonly #logins = new Map<string, number>();
  #accounts: ReadonlyMap<number, SourceRow> | undefined;
  readonly #terms: WxrTerm[] = [];
  /** How many items are filed under a term. */
  readonly #filed = new Map<string, number>();
  readonly #slugs = new Map<string, number>();
  readonly #places = new Map<number, ItemPlace>();
  readonly #sticky: number[] = [];
  /** The lowest item with a slug below a parent. */
  readonly #named = new Map<string, number>();

  private constructor(private readonly rowFile: RowFile<WxrItem>) {}

  /**
   * Reads the files of an export. Throws StartError as `readWxr` does, for XML that is no export, for version 1.0
   * of the format, and for a part that is of another site. Close it.
   */
  static async open(files: readonly string[]): Promise<WxrSource> {
    const source = new WxrSource(await RowFile.make());
    try {
      for (const file of files) await source.#read(file);
    } catch (error) {
      await source.close();
      throw error;
    }
    return source;
  }

  async #read(file: string): Promise<void> {
    const faults: Fault[] = [];
    let home: string | undefined;
    for await (const element of readWxr(file, faults)) {
      if (element.name === 'wp:base_blog_url') home ??= element.text;
      if (element.name === 'wp:wxr_version' && element.text.trim() === '1.0')
        throw new StartError(
          `The file ${file} is an export of version 1.0, which names no accounts and no numbers of terms: export again with version 3.1 of the original or later.`,
        );
      await this.#take(element, `${basename(file)} line ${element.line}`);
    }
    if (home === undefined) throw new StartError(`The file ${file} is no export of the original.`);
    if (home !== this.#settings.get('home'))
      throw new StartError(`The file ${file} is an export of another site, ${home}.`);
    for (const { line, reason } of faults)
      this.#leave('export', `${basename(file)} line ${line}`, reason);
  }

  close(): Promise<void> {
    return this.rowFile.remove();
  }

  #leave(kind: string, at: string, reason: string, outcome: LeftElement['outcome'] = 'refused') {
    this.left.push({ kind, at, outcome, reason });
  }

  #isNumbered(id: number, kind: string, at: string): boolean {
    if (Number.isNaN(id)) this.#leave(kind, at, 'its number is none');
    return !Number.isNaN(id);
  }

  async #take(element: Element, at: string): Promise<void> {
    const setting = SETTINGS[element.name];
    if (setting && !this.#settings.has(setting)) this.#settings.set(setting, element.text);
    const term = termOf(element);
    if (term) this.#takeTerm(term, at);
    else if (element.name === 'wp:author') this.#takeAuthor(authorRow(element), at);
    else if (element.name === 'item') await this.#takeItem(element, at);
  }

  /** Each part has all terms. */
  #takeTerm(term: WxrTerm, at: string): void {
    if (!this.#isNumbered(term.id, 'term', at)) return;
    const name = `${term.taxonomy} ${term.slug}`;
    if (this.#slugs.get(name) === term.id) return;
    this.#terms.push(term);
    this.#slugs.set(name, term.id);
  }

  /** Each part has its authors. */
  #takeAuthor(row: SourceRow, at: string): void {
    const id = Number(row.ID);
    if (!this.#isNumbered(id, 'account', at)) return;
    const known = this.#authors.get(id);
    if (known && known.user_login !== row.user_login)
      this.#leave('account', at, 'another author before it has its number');
    if (known) return;
    this.#authors.set(id, row);
    this.#logins.set(text(row.user_login), id);
  }

  async #takeItem(element: Element, at: string): Promise<void> {
    const item = itemOf(element);
    const { row } = item;
    const id = Number(row.ID);
    const [type, parent] = [text(row.post_type), Number(row.post_parent)];
    if (!this.#isNumbered(id, NAMES[type] ?? 'export', at)) return;
    if (this.rowFile.has(id)) {
      if (JSON.stringify(await this.rowFile.get(id)) !== JSON.stringify(item))
        this.#leave(NAMES[type] ?? 'export', at, 'another item before it has its number');
      return;
    }
    await this.rowFile.add(id, item);
    const comments = element.children.filter(({ name }) => name === 'wp:comment');
    for (const _ of comments)
      this.#leave('comment', `posts ${id}`, 'comments are not taken over', 'skipped');
    this.#places.set(id, { type, parent, status: text(row.post_status) });
    for (const [taxonomy, slug] of item.filed) {
      const name = `${taxonomy} ${slug}`;
      this.#filed.set(name, (this.#filed.get(name) ?? 0) + 1);
    }
    if (item.isSticky) this.#sticky.push(id);
    if (UNSLUGGED.has(text(row.post_status))) return;
    const named = namedBy(row);
    this.#named.set(named, Math.min(this.#named.get(named) ?? id, id));
  }

  async settings(): Promise<ReadonlyMap<string, string>> {
    const list = this.#sticky.map((id, i) => `i:${i};i:${id};`).join('');
    return new Map([...this.#settings, ['sticky_posts', `a:${this.#sticky.length}:{${list}}`]]);
  }

  readonly accounts: Readable = {
    ids: async () => [...this.#toldApart().keys()],
    read: async (ids) => ids.map((id) => this.#toldApart().get(id) as SourceRow),
  };

  #toldApart(): ReadonlyMap<number, SourceRow> {
    if (!this.#accounts) {
      const rows = [...this.#authors.values()].sort((a, b) => Number(a.ID) - Number(b.ID));
      const apart = toldApart(rows);
      this.#accounts = new Map(
        rows.map((row) => [Number(row.ID), { ...row, ...apart.get(Number(row.ID)) }]),
      );
    }
    return this.#accounts;
  }

  /** Of terms with one number, as before version 4.3 of the original, the one with most items is first. */
  readonly terms: Placed = {
    places: async () =>
      this.#ordered().map(({ id, taxonomy, parent }) => ({
        id,
        taxonomy,
        parent: this.#termNamed(taxonomy, parent),
      })),
    read: async (ids) => {
      const first = new Map(
        this.#ordered()
          .reverse()
          .map((term) => [term.id, term]),
      );
      return ids.map((id) => {
        const term = first.get(id) as WxrTerm;
        const parent = this.#termNamed(term.taxonomy, term.parent) || null;
        return { ...term, parent, parentThere: term.parent };
      });
    },
  };

  #ordered(): WxrTerm[] {
    const countOf = ({ taxonomy, slug }: WxrTerm) => this.#filed.get(`${taxonomy} ${slug}`) ?? 0;
    return this.#terms
      .filter(({ taxonomy }) => VOCABULARIES.has(taxonomy))
      .sort((a, b) => a.id - b.id || countOf(b) - countOf(a));
  }

  #termNamed(taxonomy: string, slug: string): number {
    return slug ? (this.#slugs.get(`${taxonomy} ${slug}`) ?? 0) : 0;
  }

  readonly items: Placed = {
    places: async (kind) =>
      this.#ofType(kind ?? '').map((id) => ({ id, parent: this.#places.get(id)?.parent ?? 0 })),
    read: async (ids) => {
      const items = await Promise.all(ids.map((id) => this.rowFile.get(id)));
      const rows = await Promise.all(ids.map((id) => this.#rowOf(id)));
      const embeds = new Map(items.map((item, i) => [ids[i] as number, item.embeds]));
      return withInsets(rows, embeds, (blocks) => this.#blocks(blocks));
    },
  };

  /** Returns the contents of reused blocks that are shown, by their numbers. */
  async #blocks(ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
    const here = ids.filter((id) => this.#places.get(id)?.type === 'wp_block');
    const rows = await Promise.all(here.map(async (id) => (await this.rowFile.get(id)).row));
    const shown = rows.filter((row) => row.post_status === 'publish' && !row.post_password);
    return new Map(shown.map((row) => [Number(row.ID), text(row.post_content)]));
  }

  readonly media: Readable = {
    ids: async () => this.#ofType('attachment'),
    read: (ids) => Promise.all(ids.map((id) => this.#rowOf(id))),
  };

  /** Items of models are of other types too: an export has no models. */
  async others(): Promise<OtherRows[]> {
    const counts = new Map<string, number>();
    for (const { type, status } of this.#places.values())
      if (!(type in NAMES)) {
        const at = `posts ${type} ${status}`;
        counts.set(at, (counts.get(at) ?? 0) + 1);
      }
    return [...counts].map(([at, count]) => ({ kind: 'other', at, reason: OTHER, count }));
  }

  readonly revisions: Readable = { ids: async () => [], read: async () => [] };

  async lengths(ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
    return new Map(ids.map((id) => [id, this.rowFile.lengthOf(id)]));
  }

  #ofType(type: string): number[] {
    const ids = [...this.#places].flatMap(([id, place]) => (place.type === type ? [id] : []));
    return ids.sort((a, b) => a - b);
  }

  /** Returns a row of `posts` with what `mysqlContent` adds to it. */
  async #rowOf(id: number): Promise<SourceRow> {
    const { row, author, filed } = await this.rowFile.get(id);
    const authorId = this.#logins.get(author) ?? 0;
    const parent = this.#places.get(Number(row.post_parent));
    const isBelow =
      row.post_type === 'attachment'
        ? (parent?.type ?? '') in KINDS
        : parent?.type === row.post_type;
    return {
      ...row,
      post_author: authorId,
      hasAuthor: authorId > 0 ? 1 : 0,
      parent: isBelow ? Number(row.post_parent) : null,
      // Which other types are in the REST interface there, an export does not tell.
      isHidden: SHOWN.has(text(row.post_status)) && isShown(parent) ? 0 : 1,
      hasTwin: (this.#named.get(namedBy(row)) ?? id) < id ? 1 : 0,
      filed: filed
        .map(([taxonomy, slug]) => `${taxonomy} ${this.#termNamed(taxonomy, slug)} ${slug}`)
        .join('\n'),
    };
  }
}

/** Whether the anonymous may read what is below an item for that item's sake; content is judged here. */
const isShown = (parent: ItemPlace | undefined): boolean =>
  !parent || parent.type in KINDS || SHOWN.has(parent.status);

const namedBy = ({ post_type, post_parent, post_name }: SourceRow) =>
  `${post_type} ${post_parent} ${post_name}`;
