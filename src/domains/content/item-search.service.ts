import type { RequestContext } from '../../context.js';
import { Prisma } from '../../generated/prisma/client.js';
import { SearchColumn } from './content.enums.js';
import type { ItemFilter } from './item.inputs.js';
import { all, any, given } from './item-filter.service.js';

const { sql, join } = Prisma;

/** The texts of rows `p`, and the ids of their words in rows `s`. */
const TEXT: Readonly<Record<SearchColumn, Prisma.Sql>> = {
  [SearchColumn.TITLE]: sql`p.title`,
  [SearchColumn.EXCERPT]: sql`p.excerpt`,
  [SearchColumn.CONTENT]: sql`p.content`,
};
const WORDS: Readonly<Record<SearchColumn, Prisma.Sql>> = {
  [SearchColumn.TITLE]: sql`s.title_words`,
  [SearchColumn.EXCERPT]: sql`s.excerpt_words`,
  [SearchColumn.CONTENT]: sql`s.content_words`,
};
const EVERY_COLUMN = [SearchColumn.TITLE, SearchColumn.EXCERPT, SearchColumn.CONTENT];
/** Words that say nothing beside others. */
const STOP_WORDS = new Set(
  'about an are as at be by com for from how in is it of on or that the this to was what when where who will with www'.split(' '),
);

export interface SearchTerm {
  readonly text: string;
  readonly excluded: boolean;
}

/** Splits a search: "quoted phrases" are one term, -terms are excluded, stop words do not count among others. */
export function searchTerms(search: string): SearchTerm[] {
  const terms = [...search.matchAll(/(-?)"([^"]*)"|(\S+)/g)].map(([, minus, phrase, word]) => {
    if (phrase !== undefined) return { text: phrase.trim(), excluded: minus === '-' };
    const excluded = word !== undefined && word.length > 1 && word.startsWith('-');
    return { text: (word ?? '').replaceAll('"', '').slice(excluded ? 1 : 0), excluded };
  });
  const telling = terms.filter(({ text }) => text !== '');
  const useful = telling.filter(({ text }) => !STOP_WORDS.has(text.toLowerCase()));
  return telling.length > 1 && useful.length > 0 ? useful : telling;
}

/** A LIKE pattern that stands for the text itself. */
const literal = (text: string) => text.replace(/[\\%_]/g, '\\$&');
export const containing = (text: string) => `%${literal(text)}%`;

/** Whether one of the columns contains a term, or with `search_semantics` is it, in whatever case. */
function inTexts({ text }: SearchTerm, { searchColumns, searchSemantics }: ItemFilter): Prisma.Sql {
  const pattern = searchSemantics ? literal(text) : containing(text);
  return any(columnsOf(searchColumns).map((column) => sql`${TEXT[column]} ILIKE ${pattern}`));
}

const columnsOf = (asked: ItemFilter['searchColumns']) => (given(asked) ? asked : EVERY_COLUMN);

/** What a search asks of the title, excerpt and content of rows `p`, which are read for it. */
export function searchConditions(filter: ItemFilter): Prisma.Sql[] {
  return searchTerms(filter.search ?? '').map((term) => {
    const found = inTexts(term, filter);
    return term.excluded ? sql`NOT ${found}` : found;
  });
}

/** What the words of texts are parted by, as `search_words` in the migrations parts them. */
const BETWEEN = /[\t\n\v\f\r !-/:-@[-`{-~]+/;
/** A part of a word that more words than these contain is looked for in the texts: an index would be slower, or not much faster. */
const MOST_WORDS = 200;

/**
 * The same asked of `item_search s`, which knows the words of every item, and of `p` only where words are not enough: phrases,
 * punctuation, whole texts, and parts of words that are everywhere ("e", "in"). Takes one statement, which looks the words up.
 * Undefined when nothing is searched.
 */
export async function searched(context: RequestContext, filter: ItemFilter): Promise<Prisma.Sql[] | undefined> {
  const terms = searchTerms(filter.search ?? '');
  if (terms.length === 0) return undefined;
  const words = await wordsWith(context, [...new Set(terms.flatMap(({ text }) => partsOf(text)))]);
  const columns = columnsOf(filter.searchColumns);
  return terms.map((term) => {
    const inWords = partsOf(term.text)
      .map((part) => words.get(part) ?? [])
      .filter((ids) => ids.length <= MOST_WORDS)
      .map((ids) => any(columns.map((column) => sql`${WORDS[column]} && ${ids}::int[]`)));
    const suffice = inWords.length === 1 && partsOf(term.text)[0] === term.text && !filter.searchSemantics;
    const found = all(suffice ? inWords : [...inWords, inTexts(term, filter)]);
    return term.excluded ? sql`NOT (${found})` : found;
  });
}

const partsOf = (text: string) => text.split(BETWEEN).filter(Boolean);

/** The ids of the words that contain each part of a word; of more than MOST_WORDS, one more than those. */
async function wordsWith(context: RequestContext, parts: readonly string[]): Promise<Map<string, number[]>> {
  if (parts.length === 0) return new Map();
  const lists = parts.map(
    (part, i) => sql`SELECT ${Prisma.raw(String(i))} AS part, ARRAY(
      SELECT id FROM search_word WHERE word LIKE '%' || lower(${part}::text) || '%' LIMIT ${MOST_WORDS + 1}) AS ids`,
  );
  const rows = await context.rows<{ part: number; ids: number[] }>(sql`${join(lists, ' UNION ALL ')}`, { prepared: false });
  return new Map(rows.map(({ part, ids }) => [parts[part] as string, ids]));
}
