import type { Line } from '../lines/line.js';

/**
 * Yields lines in their order, but each behind its parent, which the field `parent` names by its id. Lines
 * are in the order of their ids, so only those wait whose parent has a higher one, and those below them.
 * Lines whose parent does not come, or is below them, come last, and are added to `orphans`.
 */
export async function* parentsFirst(
  batches: AsyncIterable<readonly Line[]>,
  parent: string,
  orphans: Set<Line>,
): AsyncGenerator<readonly Line[]> {
  const waiting = new Map<number, Line[]>();
  const waits = new Set<number>();
  for await (const batch of batches) {
    const placed: Line[] = [];
    for (const line of batch) {
      const above = Number(line[parent] ?? 0);
      if (above >= Number(line.id) || waits.has(above)) {
        waits.add(Number(line.id));
        waiting.set(above, [...(waiting.get(above) ?? []), line]);
      } else placed.push(...released(line, waiting, waits));
    }
    yield placed;
  }
  const left = [...waiting.values()].flat();
  for (const line of left) orphans.add(line);
  if (left.length > 0) yield left;
}

/** Returns a line, and behind it those that have waited for it. */
function released(line: Line, waiting: Map<number, Line[]>, waits: Set<number>): Line[] {
  const found: Line[] = [];
  const stack = [line];
  for (let one = stack.pop(); one; one = stack.pop()) {
    const id = Number(one.id);
    found.push(one);
    waits.delete(id);
    stack.push(...(waiting.get(id) ?? []).reverse());
    waiting.delete(id);
  }
  return found;
}
