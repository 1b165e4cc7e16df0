import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../../src/platform/root.js';

const gate = readFileSync(join(projectRoot, '.ci/run'), 'utf8');
/** The functions of the gate, and nothing that it does by itself. */
const FUNCTIONS = [...gate.matchAll(/^\w+\(\) \{(?:[^\n]*\}$|.*?^\}$)/gms)].join('\n');

describe('The gate', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gate-'));
    mkdirSync(join(folder, 'bin'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const program = (name: string, script: string) => {
    const path = join(folder, 'bin', name);
    writeFileSync(path, `#!/bin/bash\necho "${name} $*" >>"${folder}/calls"\n${script}\n`);
    chmodSync(path, 0o755);
  };
  /** Runs a line with the functions of the gate, where no other programs are than these. */
  const run = (line: string) => {
    for (const name of [
      'bash',
      'mktemp',
      'mkdir',
      'chmod',
      'touch',
      'tail',
      'grep',
      'sed',
      'rm',
      'tee',
    ])
      symlinkSync(
        spawnSync('which', [name], { encoding: 'utf8' }).stdout.trim(),
        join(folder, 'bin', name),
      );
    const env = { PATH: join(folder, 'bin'), TMPDIR: folder };
    const { status, stdout, stderr } = spawnSync(
      join(folder, 'bin/bash'),
      ['-c', `${FUNCTIONS}\n${line}`],
      { env, encoding: 'utf8' },
    );
    return { status, stdout, stderr };
  };

  it('takes promtool out of its package, whose server it does not start', () => {
    program('apt-get', '[ "$1" != download ] || touch prometheus_2_amd64.deb');
    program(
      'dpkg-deb',
      'mkdir -p usr/bin; printf "#!/bin/bash\n" >usr/bin/promtool; chmod 755 usr/bin/promtool',
    );
    expect(run('promtool_is_there && promtool && echo there')).toMatchObject({
      status: 0,
      stdout: 'there\n',
    });
    expect(readFileSync(join(folder, 'calls'), 'utf8').split('\n')).toStrictEqual([
      'apt-get update -qq',
      'apt-get download -qq prometheus',
      'dpkg-deb --extract prometheus_2_amd64.deb .',
      '',
    ]);
  });

  it('fails where the package cannot be had', () => {
    program('apt-get', 'exit 100');
    program('dpkg-deb', '');
    expect(run('promtool_is_there').status).toBe(1);
  });

  it('counts a suite of which nothing ran as failed', () => {
    const line = `failures=/dev/null passed=0 failed=0
      echo '0 passed, 0 failed, 4 skipped' >"${folder}/log"
      count alerts 1 "${folder}/log"; echo "$passed $failed"`;
    expect(run(line).stdout).toBe('0 1\n');
    expect(gate).toContain("check 'promtool is there' promtool_is_there\n");
    expect(gate).toContain("leave 'rules of alerts' node scripts/test.mjs deploy/alerts\n");
  });
});
