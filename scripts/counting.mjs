// A reporter for node:test that prints the number of passed, failed and skipped tests as its last
// line.
export default async function* counting(source) {
  const count = { passed: 0, failed: 0, skipped: 0 };
  for await (const { type, data } of source) {
    if (data?.details?.type === 'suite') continue;
    if (type === 'test:pass')
      count[data.skip !== undefined || data.todo !== undefined ? 'skipped' : 'passed']++;
    if (type === 'test:fail') count.failed++;
  }
  yield `${JSON.stringify(count)}\n`;
}
