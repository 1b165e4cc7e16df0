import { makeLog } from '../../src/platform/log.js';

describe('The log', () => {
  it('keeps of texts that callers may have written 100 characters, on one line', () => {
    const lines: string[] = [];
    const log = makeLog('info', { write: (line) => lines.push(line) });
    log.info(
      { operation: 'x'.repeat(10_000), method: 'a\u0000b\r\nforged\u001b[2J\u2028c', count: 5 },
      'request',
    );
    expect(lines).toHaveLength(1);
    const { operation, method, count, msg } = JSON.parse(lines[0] as string);
    expect([operation, method, count, msg]).toStrictEqual([
      'x'.repeat(100),
      'a b forged [2J c',
      5,
      'request',
    ]);
  });
});
