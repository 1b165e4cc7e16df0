import type { Insets } from '../../domains/content/rendering/references.js';
import { text } from './kind.js';
import type { SourceRow } from './mysql-source.js';

const EMBED = /^_oembed_([0-9a-f]{32})$/;
/** What the original stores where it found nothing to embed. */
const NOTHING = '{{unknown}}';
const REUSED =
  /<!--\s{1,20}wp:(?:core\/)?block\s{1,20}\{[^{}]{0,1000}?"ref"\s{0,20}:\s{0,20}(\d{1,10})/g;
/** Characters of embeds and of reused blocks that an item brings along at most. */
const MOST = 1024 * 1024;

/** Returns the embeds among meta of an item, by key; of several with one name the first counts. */
export function embedsIn(meta: Iterable<readonly [name: string, value: string]>) {
  const embeds: Record<string, string> = {};
  let left = MOST;
  for (const [name, value] of meta) {
    const key = EMBED.exec(name)?.[1];
    if (key === undefined || value === '' || value === NOTHING || key in embeds) continue;
    left -= value.length;
    if (left >= 0) embeds[key] = value;
  }
  return embeds;
}

const reusedIn = (content: SourceRow[string] | undefined) =>
  [...text(content).matchAll(REUSED)].map(([, id]) => Number(id));

/**
 * Returns rows of items with `insets`: JSON of what their contents show of elsewhere, as `Insets`; null
 * for nothing. `read` returns the contents of those reused blocks that are published without a password.
 */
export async function withInsets(
  rows: readonly SourceRow[],
  embeds: ReadonlyMap<number, NonNullable<Insets['embeds']>>,
  read: (ids: readonly number[]) => Promise<ReadonlyMap<number, string>>,
): Promise<SourceRow[]> {
  const known = new Map<number, string | undefined>();
  let wanted = new Set(rows.flatMap((row) => reusedIn(row.post_content)));
  while (wanted.size > 0) {
    const found = await read([...wanted]);
    for (const id of wanted) known.set(id, found.get(id));
    const within = [...found.values()].flatMap(reusedIn);
    wanted = new Set(within.filter((id) => !known.has(id)));
  }
  return rows.map((row) => {
    const blocks = reusedBy(row.post_content, known);
    const own = embeds.get(Number(row.ID)) ?? {};
    const insets = {
      ...(Object.keys(own).length > 0 && { embeds: own }),
      ...(Object.keys(blocks).length > 0 && { blocks }),
    };
    return { ...row, insets: Object.keys(insets).length > 0 ? JSON.stringify(insets) : null };
  });
}

/** Returns the reused blocks of a content, and those in them. */
function reusedBy(
  content: SourceRow[string] | undefined,
  known: ReadonlyMap<number, string | undefined>,
) {
  const blocks: Record<string, string> = {};
  let left = MOST;
  const waiting = reusedIn(content);
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const block = known.get(id);
    if (block === undefined || id in blocks || block.length > left) continue;
    left -= block.length;
    blocks[id] = block;
    waiting.push(...reusedIn(block));
  }
  return blocks;
}
