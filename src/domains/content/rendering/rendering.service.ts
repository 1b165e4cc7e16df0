import { hash } from 'node:crypto';
import type { RequestContext } from '../../../core/context.js';
import { DomainError } from '../../../core/errors.js';
import { pointsOfMarkup } from '../../../core/quota.js';
import { Recent } from '../../../platform/lru.js';
import { WorkThread } from '../../../platform/work-thread.js';
import { summary, USUAL_WORDS } from './excerpt.js';
import type { References } from './references.js';
import { enoughFor, MOST_WORDS } from './rendering.js';
import { WORK, type Work } from './work.js';

/**
 * What is worked on beside the other requests: texts of more than 64 KiB together, and shorter ones
 * with more tags than an article has, since tags take the most.
 */
const LONG = { characters: 64 * 1024, tags: 500 } as const;
/** Work whose result is stored. It sanitises, renders and finds words; other work does one of these. */
const STORED: ReadonlySet<keyof Work> = new Set([
  'written',
  'sanitised',
  'sanitiseHtml',
  'sanitiseFootnotes',
]);

const thread = new WorkThread(new URL('./rendering-thread.js', import.meta.url));

/**
 * Works on the HTML of a request, which pays for it by its length (`pointsOfMarkup`). Long HTML is
 * worked on in a thread of its own, so that other requests are answered meanwhile. Throws
 * TOO_MANY_REQUESTS when the quota does not cover it.
 */
export async function worked<Name extends keyof Work>(
  context: RequestContext,
  name: Name,
  ...given: Parameters<Work[Name]>
): Promise<ReturnType<Work[Name]>> {
  const texts = given.flatMap(textsIn);
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  const spent = await context.quota.add(pointsOfMarkup(length, STORED.has(name)));
  if (spent) throw new DomainError(spent);
  return made(name, given, isLong(texts, length));
}

async function made<Name extends keyof Work>(
  name: Name,
  given: Parameters<Work[Name]>,
  isInThread: boolean,
): Promise<ReturnType<Work[Name]>> {
  const result = isInThread
    ? await thread.run(name, given)
    : (WORK[name] as (...given: unknown[]) => unknown)(...given);
  return result as ReturnType<Work[Name]>;
}

/** Contents as they are shown with what they refer to, by a hash of both. */
const shownContents = new Recent<string, string>(300);
/** Characters of a content that is remembered. */
const LONGEST_SHOWN = 64 * 1024;

/**
 * Returns a content as it is shown with what it refers to. Like a stored one it costs no quota. This
 * process remembers it for as long as neither changes.
 */
export async function contentWith(
  references: References,
  content: string,
  footnotes: string,
): Promise<string> {
  const { media, attached, ...others } = references;
  const all = JSON.stringify([content, footnotes, [...media], [...attached], others]);
  const key = hash('sha1', all, 'base64url');
  const known = shownContents.get(key);
  if (known !== undefined) return known;
  const texts = [content, ...Object.values(references.insets.blocks ?? {})];
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  const given: Parameters<Work['renderContent']> = [content, footnotes, references];
  const html = await made('renderContent', given, isLong(texts, length));
  if (html.length <= LONGEST_SHOWN) shownContents.set(key, html);
  return html;
}

/** Beginnings of contents, by number of words and hash of the content. */
const beginnings = new Recent<string, string>(1_000);
const LONGEST_REMEMBERED = 32 * 1024;

/**
 * Returns what `renderExcerpt` returns. A content whose first words this process has looked for
 * before costs nothing.
 */
export async function excerptFor(
  context: RequestContext,
  excerpt: string,
  content: string,
  words = USUAL_WORDS,
): Promise<string> {
  if (excerpt.trim() !== '') return worked(context, 'renderExcerpt', excerpt, '');
  const most = Math.min(words, MOST_WORDS);
  const enough = enoughFor(most);
  const key = `${enough} ${hash('sha1', content, 'base64url')}`;
  const known = beginnings.get(key);
  const text = known ?? (await worked(context, 'beginning', content, enough));
  if (text.length <= LONGEST_REMEMBERED) beginnings.set(key, text);
  return summary(text, most);
}

const textsIn = (given: unknown): string[] => {
  if (typeof given === 'string') return [given];
  return typeof given === 'object' && given !== null ? Object.values(given).flatMap(textsIn) : [];
};

function isLong(texts: readonly string[], length: number): boolean {
  if (length > LONG.characters) return true;
  let tags = 0;
  for (const text of texts)
    for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1))
      if (++tags > LONG.tags) return true;
  return false;
}
