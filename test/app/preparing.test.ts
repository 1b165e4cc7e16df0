import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../../src/platform/root.js';

/** Runs code of a module in a process of its own, in which `fs` and `os` may be otherwise. */
async function run(code: string) {
  const source = `import fs from 'node:fs'; import os from 'node:os';
    import { syncBuiltinESMExports } from 'node:module'; ${code}`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source]);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (output += text));
  const [status] = await once(child, 'close');
  return { status, output };
}

describe('Processes that prepare one folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'care-preparing-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('do so one after the other, also where those of several containers have one number', async () => {
    const lock = join(folder, '.preparing');
    const place = JSON.stringify(join(folder, 'working'));
    const inContainer = (name: string) =>
      run(`os.hostname = () => '${name}'; syncBuiltinESMExports();
        Object.defineProperty(process, 'pid', { value: 17 });
        const { withLock } = await import(${JSON.stringify(join(projectRoot, 'scripts/lock.mjs'))});
        const fail = (sentence) => { console.log(sentence); process.exit(1); };
        await withLock(${JSON.stringify(lock)}, { waits: () => {}, fail }, async () => {
          fs.mkdirSync(${place});
          await new Promise((resolve) => setTimeout(resolve, 700));
          fs.rmdirSync(${place});
        });`);
    const all = await Promise.all(['a', 'b', 'c', 'd'].map(inContainer));
    expect(all).toStrictEqual(all.map(() => ({ status: 0, output: '' })));
  });

  it('name the folder that cannot be written to', async () => {
    const project = join(folder, 'project');
    mkdirSync(join(project, 'scripts'), { recursive: true });
    for (const name of ['prepare.mjs', 'lock.mjs'])
      cpSync(join(projectRoot, 'scripts', name), join(project, 'scripts', name));
    const { status, output } = await run(`const remove = fs.rmSync;
      fs.rmSync = (path, ...more) => {
        if (!path.endsWith('.installed')) return remove(path, ...more);
        const message = "EACCES: permission denied, rm '" + path + "'";
        throw Object.assign(new Error(message), { code: 'EACCES', path });
      };
      syncBuiltinESMExports();
      const { prepare } = await import(${JSON.stringify(join(project, 'scripts/prepare.mjs'))});
      await prepare('playground');`);
    expect(status).toBe(1);
    expect(output).toContain('cannot be written to (EACCES).\n');
    expect(output).toMatch(/\nThe folder [^\n]*\/node_modules cannot/);
  });
});
