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
const IN_TITLE = 2;
const ELSEWHERE = 6;

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
  readonly clauses: readonly OtherClause[];
  /** Its distances. */
  readonly least: number;
  readonly most: number;
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
  readonly words: readonly [readonly number[]];
}

/** Undefined where a term is no single word whose words were looked up. */
function clausesOf(
  terms: readonly SearchTerm[],
  words: ReadonlyMap<string, number[]>,
): readonly WordClause[] | undefined {
  const clauses: WordClause[] = [];
  for (const { text, excluded } of terms) {
    const ids = words.get(text);
    if (!ids) return undefined;
    clauses.push({ excluded, words: [ids] });
  }
  return clauses;
}

/**
 * Parts what is found by how many of the words a title has: one or none is the distance of a single one, also
 * beside words that items do not have, with which no text has the whole phrase; of several some are.
 * Undefined where only words are asked for that items do not have: then all have one distance.
 */
function tiersOf(clauses: readonly WordClause[]): readonly Tier[] | undefined {
  const words = clauses.filter(({ excluded }) => !excluded).map(({ words: [ids] }) => ids);
  if (words.length === 0) return undefined;
  const has = (ids: readonly number[]) => sql`s.title_words && (SELECT ${ids}::int[])`;
  const every = { words, inTitle: true, excluded: false };
  const some = { words: [words.flat()], inTitle: true, excluded: false };
  const none = { ...some, excluded: true };
  const hasEvery = all(words.map(has));
  const hasSome = has(words.flat());
  if (words.length === 1)
    return [
      { condition: hasEvery, clauses: [every], least: IN_TITLE, most: IN_TITLE },
      { condition: sql`NOT ${hasSome}`, clauses: [none], least: ELSEWHERE, most: ELSEWHERE },
    ];
  return [
    { condition: hasEvery, clauses: [every], least: 1, most: IN_TITLE },
    {
      condition: sql`${hasSome} AND NOT (${hasEvery})`,
      clauses: [some, { ...every, excluded: true }],
      least: 3,
      most: 3,
    },
    { condition: sql`NOT ${hasSome}`, clauses: [none], least: 4, most: ELSEWHERE },
  ];
}

/** Returns SQL of a distance that is known. */
export const distanceOf = (distance: number): Prisma.Sql => Prisma.raw(`${distance}::int`);

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
    return sql`CASE WHEN ${all(inTitle)} THEN ${distanceOf(IN_TITLE)} ELSE ${distanceOf(ELSEWHERE)} END`;
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
