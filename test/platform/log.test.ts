import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { makeLog } from '../../src/platform/log.js';

/**
 * Runs `script` in a process of its own with `log`. Returns the messages of the lines, those of
 * each write to standard output together.
 */
function writesOf(script: string): string[] {
  const { stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', `${COUNTING}\n${script}`],
    { encoding: 'utf8' },
  );
  const [, counted = ''] = stderr.split('writes: ');
  const writes = JSON.parse(counted.slice(0, counted.indexOf(']') + 1)) as string[];
  return writes.map((text) =>
    Buffer.from(text, 'base64')
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).msg)
      .join(' '),
  );
}

const LOG = `
  const { makeLog } = await import(${JSON.stringify(new URL('../../src/platform/log.js', import.meta.url))});
  const log = makeLog('info');`;
const COUNTING = `
  import fs from 'node:fs';
  const [{ write, writeSync }, writes] = [{ ...fs }, []];
  const counted = (send) => (file, text, ...rest) => {
    if (file === 1) writes.push(Buffer.from(text).toString('base64'));
    return send(file, text, ...rest);
  };
  Object.assign(fs, { write: counted(write), writeSync: counted(writeSync) });
  ${LOG}
  process.on('exit', () => writeSync(2, 'writes: ' + JSON.stringify(writes)));`;

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

  it('is written in one piece for the lines of 50 ms, and at once from warnings on', () => {
    const writes = writesOf(`
      log.info('a');
      log.info('b');
      await new Promise((resolve) => setTimeout(resolve, 500));
      log.info('c');
      log.warn('d');
      log.info('e');`);
    expect(writes).toStrictEqual(['a b', 'c d', 'e']);
  });

  it('loses no line when an error that nobody caught ends the process', () => {
    expect(writesOf(`log.info('a'); throw new Error('b')`)).toStrictEqual(['a']);
  });

  it('loses no line of a process that has nothing left to do, or exits', () => {
    expect(writesOf(`log.info('a')`)).toStrictEqual(['a']);
    expect(writesOf(`log.info('a'); process.exit(0)`)).toStrictEqual(['a']);
  });

  it('does not stop the process when nobody reads it', async () => {
    const child = spawn(process.execPath, [
      '--input-type=module',
      '--eval',
      `${LOG}
      for (let i = 0; i < 10_000; i++) log.info('x'.repeat(100));
      setTimeout(() => process.stderr.write('goes on'), 200);`,
    ]);
    try {
      const [said] = await once(child.stderr, 'data');
      expect(String(said)).toBe('goes on');
    } finally {
      child.kill('SIGKILL');
    }
  });
});
