import { makeLog } from '../../src/platform/log.js';

describe('The log', () => {
  it('says what kind of error came from where, and nothing of the data that it carries', () => {
    const lines: string[] = [];
    const log = makeLog('info', { write: (line: string) => void lines.push(line) });
    const error = Object.assign(
      new Error('Invalid invocation: { email: "mina@example.com" }\nUnique constraint failed'),
      {
        code: '23505',
        detail: 'Key (email_key)=(mina@example.com) already exists.',
      },
    );
    log.error({ err: error }, 'request failed');
    const [line = ''] = lines;
    expect(line, line).not.toContain('mina@example.com');
    const { err } = JSON.parse(line);
    expect([err.type, err.code, err.message]).toStrictEqual([
      'Error',
      '23505',
      'Unique constraint failed',
    ]);
    expect(err.stack).toMatch(/log\.test/);
  });
});
