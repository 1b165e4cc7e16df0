import type { Answer } from './harness.js';

/** Asks for a page of a list with these arguments, written as in GraphQL. Returns the page. */
type AskPage = (args: string) => Promise<Answer['body']>;

/** What a page must select: `nodes` besides. */
export const PAGE_INFO = 'pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';

/** More rows than any list that a test makes. */
const LONGEST = 200;

/**
 * Reads a list in pages of two rows from its beginning and from its end. Returns the rows of both
 * ways in the order of the list. Throws when a page says wrongly whether others follow or precede.
 */
export async function readBothWays(
  ask: AskPage,
): Promise<{ forwards: unknown[]; backwards: unknown[] }> {
  const forwards: unknown[] = [];
  for (let args = 'first: 2'; ; ) {
    const { nodes, pageInfo } = await ask(args);
    const { hasNextPage, hasPreviousPage, endCursor } = pageInfo;
    if (forwards.length > LONGEST) throw new Error('The list does not end.');
    if (hasPreviousPage !== forwards.length > 0) throw new Error('hasPreviousPage is wrong.');
    forwards.push(...nodes);
    if (!hasNextPage) break;
    args = `first: 2, after: "${endCursor}"`;
  }
  const backwards: unknown[] = [];
  for (let args = 'last: 2'; ; ) {
    const { nodes, pageInfo } = await ask(args);
    const { hasNextPage, hasPreviousPage, startCursor } = pageInfo;
    if (backwards.length > LONGEST) throw new Error('The list does not begin.');
    if (hasNextPage !== backwards.length > 0) throw new Error('hasNextPage is wrong.');
    backwards.unshift(...nodes);
    if (!hasPreviousPage) break;
    args = `last: 2, before: "${startCursor}"`;
  }
  return { forwards, backwards };
}
