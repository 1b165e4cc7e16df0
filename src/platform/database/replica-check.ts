import { setTimeout as sleep } from 'node:timers/promises';
import { configOf, connect } from './postgresql.js';
import { replayed, requireStandby, written } from './wal.js';

/** Milliseconds between two looks at what a standby has replayed. */
const EVERY = 50;

/**
 * Measures how many seconds a standby is behind its primary. Returns undefined when that is more
 * than `most`. Throws StartError, whose message is a sentence or the end of one, when one of them
 * cannot be reached, or is not what it should be.
 */
export async function measureLag(
  primaryUrl: string,
  url: string,
  { wait, most }: { readonly wait: number; readonly most: number },
): Promise<number | undefined> {
  const primary = await connect(configOf(primaryUrl), { url: primaryUrl, wait });
  const opened = [primary];
  try {
    const standby = await connect(configOf(url), { url, wait });
    opened.push(standby);
    await requireStandby(primary, standby);
    const began = performance.now();
    const seconds = () => (performance.now() - began) / 1_000;
    const position = await written(primary);
    for (; seconds() <= most; await sleep(EVERY))
      if ((await replayed(standby)) >= position) return seconds();
    return undefined;
  } finally {
    await Promise.all(opened.map((client) => client.end()));
  }
}
