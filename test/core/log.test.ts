import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
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
    assert.ok(!line.includes('mina@example.com'), line);
    const { err } = JSON.parse(line);
    assert.deepEqual(
      [err.type, err.code, err.message],
      ['Error', '23505', 'Unique constraint failed'],
    );
    assert.match(err.stack, /log\.test/);
  });
});
