import { type Groups, isolate, type WorkBatch } from '../../../src/platform/jobs/isolate.js';
import { Failures } from '../../support/failures.js';

/**
 * A batch of rows in groups, some of which fail; `done` and `left` say what became of the rows,
 * `parts` what was tried.
 */
function batchOf(groups: Groups, fails: (row: number) => unknown) {
  const [done, left, parts]: [number[], number[], number[][]] = [[], [], []];
  const failures = new Failures('test');
  const run: WorkBatch['run'] = async (holds, among) => {
    const held = groups.map((group) =>
      group.filter((id) => (!among || among.includes(id)) && !done.includes(id)),
    );
    holds(held.filter((group) => group.length > 0));
    parts.push(held.flat());
    for (const error of held.flat().map(fails)) if (error) throw error;
    done.push(...held.flat());
    return false;
  };
  const batch = {
    job: 'test',
    log: failures.log,
    run,
    passOver: async (id: number) => left.push(id),
  };
  return { batch, done, left, parts, failures };
}

const rows = (count: number) => Array.from({ length: count }, (_, i) => [i]);

test('a batch that succeeds is run once', async () => {
  const { batch, done, parts } = batchOf(rows(1000), () => undefined);
  expect(await isolate(batch)).toBe(false);
  expect([done.length, parts.length]).toStrictEqual([1000, 1]);
});

test('of a batch that fails, all is done but the rows that fail alone, in few tries', async () => {
  const { batch, done, left, parts, failures } = batchOf(
    rows(1000),
    (row) => row % 400 === 3 && new Error('x'),
  );
  await failures.begin();
  expect(await isolate(batch), 'there may be more').toBe(true);
  expect([done.length, left]).toStrictEqual([997, [3, 403, 803]]);
  expect(parts.length, String(parts.length)).toBeLessThan(3 * 2 * Math.log2(1024));
  expect([failures.ids(), await failures.counted()]).toStrictEqual([[3, 403, 803], 3]);
});

test('rows of a group are tried together until nothing else is left to divide', async () => {
  const { batch, done, left, parts } = batchOf(
    [[1, 2], [3, 4, 5], [6, 7], [8]],
    (row) => row === 4 && new Error('x'),
  );
  await isolate(batch);
  expect([done.sort(), left]).toStrictEqual([[1, 2, 3, 5, 6, 7, 8], [4]]);
  expect(parts).toStrictEqual([
    [1, 2, 3, 4, 5, 6, 7, 8],
    [1, 2, 3, 4, 5],
    [1, 2],
    [3, 4, 5],
    [3],
    [4],
    [5],
    [6, 7, 8],
  ]);
});

test('what is the fault of no row is thrown at once, and passes no row over', async () => {
  const away = Object.assign(new Error('x'), { code: '57P01' });
  const { batch, left, parts } = batchOf(rows(8), () => away);
  await expect(isolate(batch)).rejects.toBe(away);
  expect([left, parts.length]).toStrictEqual([[], 1]);
  const beforeHolding = { ...batch, run: () => Promise.reject(new Error('no rows')) };
  await expect(isolate(beforeHolding)).rejects.toThrow(/no rows/);
});

const late = Object.assign(new Error('too long'), { code: '57014' });

test('a batch that meets a time limit is done in parts, and no row is passed over', async () => {
  const { batch, done, left } = batchOf(rows(100), () => undefined);
  const run: WorkBatch['run'] = async (holds, among) => {
    if (among && among.length <= 10) return batch.run(holds, among);
    holds((among ?? rows(100).flat()).map((id) => [id]));
    throw late;
  };
  expect(await isolate({ ...batch, run })).toBe(true);
  expect([done.length, left]).toStrictEqual([100, []]);
});

test('a row that meets it alone is not passed over, and the others are done before it is told', async () => {
  const { batch, done, left } = batchOf(rows(100), (row) => row % 60 === 1 && late);
  await expect(isolate(batch)).rejects.toBe(late);
  expect([done.length, left]).toStrictEqual([98, []]);
});

test('a row that meets it alone is passed over where the batch says so', async () => {
  const { batch, done, left, failures } = batchOf(rows(100), (row) => row % 60 === 1 && late);
  await failures.begin();
  expect(await isolate({ ...batch, passesLate: true })).toBe(true);
  expect([done.length, left, failures.ids()]).toStrictEqual([98, [1, 61], [1, 61]]);
});

test.each([
  [false, []],
  [true, [0, 1, 2]],
])('when all rows meet it, the third ends the run (passes late: %s)', async (passesLate, over) => {
  const { batch, left, parts } = batchOf(rows(1000), () => late);
  await expect(isolate({ ...batch, passesLate })).rejects.toBe(late);
  expect(left).toStrictEqual(over);
  expect(parts.length, String(parts.length)).toBeLessThan(20);
});

test('a batch that failed is not divided further when the process stops', async () => {
  const stopping = new AbortController();
  const { batch, done, left, parts } = batchOf(rows(1000), (row) => {
    if (row === 3) stopping.abort();
    return row === 3 && new Error('x');
  });
  expect(await isolate({ ...batch, stopping: stopping.signal })).toBe(true);
  expect([done, left, parts.length]).toStrictEqual([[], [], 1]);
});

test('a row that cannot be left for later stops the batch: the database is at fault', async () => {
  const { batch, parts } = batchOf(rows(8), () => new Error('x'));
  await expect(
    isolate({ ...batch, passOver: () => Promise.reject(new Error('read-only')) }),
  ).rejects.toThrow(/read-only/);
  expect(parts.length).toBeLessThan(8);
});
