import { bucketNames } from './catalogue/spread.js';
import type { Subject } from './catalogue/subject.js';
import { type Excluded, type Grid, keyColumns } from './noise.js';
import { countsFacts } from './rollup/bounds.js';

/** Returns a grid of a subject by its name, as its cells are hidden. */
export function gridOf(subject: Subject, name: string, key: Buffer): Grid {
  const columns = keyColumns({ name });
  const mayExclude = subject.dimensions.some(
    (each) => each.excludes && columns.includes(each.name),
  );
  return {
    subject: subject.noiseOf ?? subject.name,
    name,
    key,
    facts: subject.counts.map(countsFacts),
    parts: new Set(subject.dimensions.flatMap((each) => (each.isPart ? each.name : []))),
    ...(mayExclude && { excludes: (keys) => excludedBy(subject, columns, keys) }),
    isPublic: subject.isPublic ?? false,
    drawn: new Map(),
    shared: new Map(),
    named: new Map(),
  };
}

/** Returns which counts and buckets of a subject the values of some columns exclude. */
function excludedBy(
  { dimensions, counts, spread }: Subject,
  columns: readonly string[],
  keys: readonly string[],
): Excluded {
  const names = new Set(
    columns.flatMap((column, i) => {
      const dimension = dimensions.find(({ name }) => name === column);
      return dimension?.excludes?.(keys[i] ?? '') ?? [];
    }),
  );
  const isExcluded = (name: string) => names.has(name);
  return {
    sums: counts.map(isExcluded),
    buckets: spread ? bucketNames(spread).map(isExcluded) : [],
  };
}
