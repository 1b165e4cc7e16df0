import type { Kind } from '../../../domains/content/item/item.kinds.js';
import type { Db } from '../../../platform/database/transaction.js';
import {
  authorText,
  headOf,
  itemText,
  mediumText,
  TAIL,
  termText,
  type WxrSite,
} from '../wxr/wxr-text.js';
import { allowed } from '../wxr/xml-text.js';
import { inBatches } from './batches.js';
import {
  authorsBehind,
  itemsBehind,
  mediaBehind,
  type Reading,
  siteOf,
  termsBehind,
} from './content.service.js';
import type { Replacements } from './export-folder.js';

/** No more elements with replaced characters are named. */
const MOST_NAMED = 100;

/** A part of the content of an export, and how many elements it has. */
export interface WxrPart {
  readonly text: string;
  readonly elements: number;
}

/** The kinds of items, parents of media before them. */
const KINDS: readonly Kind[] = ['page', 'post', 'healthcare'];

/** The content of a service as WXR 1.2, in the parts in which it is read. Memory is that of a part. */
export class WxrExport {
  #characters = 0;
  readonly #named: string[] = [];

  private constructor(
    private readonly db: Db,
    private readonly site: WxrSite,
  ) {}

  /** `home` is the address of the site, without a slash at its end. */
  static async of(db: Db, home: string): Promise<WxrExport> {
    return new WxrExport(db, await siteOf(db, home));
  }

  /** What was replaced so far. */
  get replaced(): Replacements {
    return { characters: this.#characters, in: this.#named };
  }

  /** Yields the site, authors, terms, items and media. */
  async *parts(): AsyncGenerator<WxrPart> {
    yield { text: headOf(this.#clean('site', { ...this.site, id: 1 })), elements: 0 };
    yield* this.#elements('account', authorsBehind, authorText);
    yield* this.#elements('term', termsBehind, termText);
    for (const kind of KINDS) yield* this.#elements(kind, itemsBehind(kind), itemText);
    yield* this.#elements('media', mediaBehind, mediumText);
    yield { text: TAIL, elements: 0 };
  }

  async *#elements<Row extends { readonly id: number }>(
    kind: string,
    read: Reading<Row>,
    textOf: (row: Row, site: WxrSite) => string,
  ): AsyncGenerator<WxrPart> {
    const { db, site } = this;
    const batches = inBatches<Row>((last, most) => read(db, last, most), sizeOf);
    for await (const rows of batches)
      for (const row of rows)
        yield { text: textOf(this.#clean(kind, row), site).trimEnd(), elements: 1 };
  }

  /** Returns a row without what XML does not allow, and notes where some was. */
  #clean<Row extends { readonly id: number }>(kind: string, row: Row): Row {
    const { value, replaced } = allowed(row);
    if (replaced > 0 && this.#named.length < MOST_NAMED) this.#named.push(`${kind} ${row.id}`);
    this.#characters += replaced;
    return value;
  }
}

const sizeOf = (row: object): number =>
  Object.values(row).reduce((sum, one) => sum + (typeof one === 'string' ? one.length : 20), 0);
