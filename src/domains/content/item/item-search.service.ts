import type { RequestContext } from '../../../core/context.js';
import {
  containing,
  foldedTerm,
  literally,
  type SearchTerm,
  searchTerms,
} from '../../../core/search.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { SearchColumn } from '../content.enums.js';
import { all, any, given } from './conditions.sql.js';
import type { OtherClause } from './item-clause.js';
import type { ItemFilter } from './item-filter.inputs.js';

const { sql, join } = Prisma;

/** The folded texts of rows `p`, and the ids of their words in rows `s`. */
const TEXT: Readonly<Record<SearchColumn, Prisma.Sql>> = {
  [SearchColumn.TITLE]: sql`folded(p.title)`,
  [SearchColumn.EXCERPT]: sql`folded(p.excerpt)`,
  [SearchColumn.CONTENT]: sql`folded(p.content)`,
};
const WORDS: Readonly<Record<SearchColumn, Prisma.Sql>> = {
  [SearchColumn.TITLE]: sql`s.title_words`,
  [SearchColumn.EXCERPT]: sql`s.excerpt_words`,
  [SearchColumn.CONTENT]: sql`s.content_words`,
};
const EVERY_COLUMN = [SearchColumn.TITLE, SearchColumn.EXCERPT, SearchColumn.CONTENT];
/** Words that say nothing beside others. */
const STOP_WORDS = new Set(
  'about an are as at be by com for from how in is it of on or that the this to was what when where who will with www'.split(
    ' ',
  ),
);

/**
 * Returns the words and phrases that count, folded: each once, and stop words only when there is
 * nothing else. A term of which folding leaves nothing does not count.
 */
export function usefulTerms(search: string): SearchTerm[] {
  const folded = searchTerms(search).map((term) => ({
    ...term,
    text: foldedTerm(term.text).trim(),
  }));
  const terms = new Map(folded.map((term) => [`${term.excluded}${term.text}`, term]));
  const telling = [...terms.values()].filter(({ text }) => text !== '');
  const useful = telling.filter(({ text }) => !STOP_WORDS.has(text));
  return telling.length > 1 && useful.length > 0 ? useful : telling;
}

/**
 * Returns the condition that one of some columns of rows `p` contains a folded text, or equals it
 * with `whole`. Case and accents do not count.
 */
function inTexts(text: string, columns: readonly SearchColumn[], whole: boolean): Prisma.Sql {
  const pattern = whole ? literally(text) : containing(text);
  return any(columns.map((column) => sql`${TEXT[column]} LIKE ${pattern}`));
}

const columnsOf = ({ searchIn }: ItemFilter) => (given(searchIn) ? searchIn : EVERY_COLUMN);
const negated = ({ excluded }: SearchTerm, found: Prisma.Sql) =>
  excluded ? sql`NOT (${found})` : found;

/**
 * Returns the conditions of a search on title, excerpt and content of rows `p`. They read all of
 * these.
 */
export function searchConditions(filter: ItemFilter): Prisma.Sql[] {
  const columns = columnsOf(filter);
  return usefulTerms(filter.search ?? '').map((term) =>
    negated(term, inTexts(term.text, columns, Boolean(filter.searchSemantics))),
  );
}

/** The distances of a single term: the title has it, or not. */
const TITLE_OR_NOT = [sql`2::int`, sql`6::int`] as const;

/** What texts are parted into words by, as `search_words` in the migrations parts them. */
const BETWEEN = /[\t\n\v\f\r !-/:-@[-`{-~]+/;
/**
 * A part of a word such as "e" or "in" that more words than this contain is looked for in the
 * texts: an index helps less the more words there are.
 */
const MOST_WORDS = 200;

/** Maximum number of parts of a term that are looked up. */
const MOST_PARTS = 5;

/**
 * A search whose words were looked up: conditions on `item_search s`, and on items `p` where words
 * are not enough.
 */
export interface Search {
  readonly conditions: readonly Prisma.Sql[];
  /**
   * The same by words alone, where that says it all and one of them has a set; such a search finds too
   * many items to read them for a count.
   */
  readonly clauses: readonly OtherClause[] | undefined;
  /**
   * The distance of a row from the search, nearest first: the phrase in the title, all terms there,
   * some there, the phrase in the excerpt, in the content; of a single term, whether the title has it.
   */
  readonly distance: Prisma.Sql;
  /** Where there are `clauses`: what is found, parted by distance, nearest first. */
  readonly tiers: readonly Tier[] | undefined;
}

/** What a search finds in some distances. */
export interface Tier {
  readonly condition: Prisma.Sql;
  readonly clause: OtherClause;
  /** The one distance of all, if it is one. */
  readonly distance: Prisma.Sql | undefined;
}

/**
 * Returns the search of a filter; undefined for none. It means the same as `searchConditions`: a
 * text contains a word when one of its words does. For phrases, punctuation and whole texts, the
 * words only narrow down the rows. Takes one statement.
 */
export async function searchOf(
  context: RequestContext,
  filter: ItemFilter,
): Promise<Search | undefined> {
  const terms = usefulTerms(filter.search ?? '');
  if (terms.length === 0) return undefined;
  const { words, common } = await wordsWith(context, [
    ...new Set(terms.flatMap(({ text }) => partsOf(text))),
  ]);
  const contains = (text: string, columns: readonly SearchColumn[], whole = false): Prisma.Sql => {
    const parts = partsOf(text);
    const known = parts.map((part) => words.get(part)).filter((ids) => ids !== undefined);
    const inWords = known.map((ids) =>
      any(columns.map((column) => sql`${WORDS[column]} && (SELECT ${ids}::int[])`)),
    );
    const suffice = known.length === 1 && parts[0] === text && !whole;
    return suffice ? all(inWords) : all([...inWords, inTexts(text, columns, whole)]);
  };
  const columns = columnsOf(filter);
  const whole = Boolean(filter.searchSemantics);
  const inAll = EVERY_COLUMN.every((column) => columns.includes(column)) && !whole;
  const clauses = inAll && common ? clausesOf(terms, words) : undefined;
  return {
    conditions: terms.map((term) => negated(term, contains(term.text, columns, whole))),
    clauses,
    tiers: clauses && tiersOf(clauses),
    distance: distance(filter.search ?? '', terms, (text, column) => contains(text, [column])),
  };
}

interface WordClause {
  readonly excluded: boolean;
  readonly words: readonly number[];
}

/** Undefined where a term is no single word whose words were looked up. */
function clausesOf(
  terms: readonly SearchTerm[],
  words: ReadonlyMap<string, number[]>,
): readonly WordClause[] | undefined {
  const clauses = terms.map(({ text, excluded }) => ({ excluded, words: words.get(text) }));
  return clauses.every((clause): clause is WordClause & typeof clause => clause.words !== undefined)
    ? clauses
    : undefined;
}

/**
 * Parts what is found by whether a title has one of the words: that is the distance of a single one, also
 * beside words that items do not have, with which no text has the whole phrase.
 * Undefined where only words are asked for that items do not have: then all have one distance.
 */
function tiersOf(clauses: readonly WordClause[]): readonly Tier[] | undefined {
  const ids = clauses.flatMap(({ excluded, words }) => (excluded ? [] : words));
  if (ids.length === 0) return undefined;
  const inTitle = sql`s.title_words && (SELECT ${ids}::int[])`;
  const alone = clauses.filter(({ excluded }) => !excluded).length === 1;
  return [false, true].map((excluded) => ({
    condition: excluded ? sql`NOT ${inTitle}` : inTitle,
    clause: { words: ids, inTitle: true, excluded },
    distance: alone ? TITLE_OR_NOT[Number(excluded)] : undefined,
  }));
}

function distance(
  search: string,
  terms: readonly SearchTerm[],
  contains: (text: string, column: SearchColumn) => Prisma.Sql,
) {
  const inTitle = terms
    .filter(({ excluded }) => !excluded)
    .map(({ text }) => contains(text, SearchColumn.TITLE));
  const phrase = foldedTerm(search.replaceAll('"', '')).trim();
  if (inTitle.length === 0) return sql`0::int`;
  if (terms.length === 1)
    return sql`CASE WHEN ${all(inTitle)} THEN ${TITLE_OR_NOT[0]} ELSE ${TITLE_OR_NOT[1]} END`;
  return sql`(CASE WHEN ${contains(phrase, SearchColumn.TITLE)} THEN 1 WHEN ${all(inTitle)} THEN 2
    WHEN ${any(inTitle)} THEN 3
    WHEN ${contains(phrase, SearchColumn.EXCERPT)} THEN 4
      WHEN ${contains(phrase, SearchColumn.CONTENT)} THEN 5 ELSE 6 END)::int`;
}

/**
 * The longest parts of a text between punctuation, each once. They only narrow down the rows, for
 * which a few suffice.
 */
const partsOf = (text: string) =>
  [...new Set(text.split(BETWEEN).filter(Boolean))]
    .sort((a, b) => b.length - a.length)
    .slice(0, MOST_PARTS);

/** The ids of the words that contain each part, and whether one of them has a set of items. */
interface Words {
  readonly words: ReadonlyMap<string, number[]>;
  readonly common: boolean;
}

/**
 * Returns the ids of the words that contain each part of a word, for parts that at most MOST_WORDS
 * contain.
 */
async function wordsWith(context: RequestContext, parts: readonly string[]): Promise<Words> {
  if (parts.length === 0) return { words: new Map(), common: false };
  const lists = parts.map(
    (part, i) => sql`SELECT ${Prisma.raw(String(i))} AS part, ARRAY(
      SELECT id FROM search_word WHERE word LIKE '%' || ${part}::text || '%'
        LIMIT ${MOST_WORDS + 1}) AS ids`,
  );
  const rows = await context.rows<{ part: number; ids: number[]; common: boolean }>(
    sql`SELECT part, ids, EXISTS (SELECT FROM item_set WHERE whole AND word_id = ANY(ids))
      AND EXISTS (SELECT FROM item_set WHERE whole AND name = 'shut') AS common
      FROM (${join(lists, ' UNION ALL ')}) found`,
    { prepared: false },
  );
  const known = rows.filter(({ ids }) => ids.length <= MOST_WORDS);
  return {
    words: new Map(known.map(({ part, ids }) => [parts[part] as string, ids])),
    common: known.some(({ common }) => common),
  };
}
