import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../src/platform/database/open.js';
import { run } from './processes.js';
import { dataFolder, variables } from './service.js';

describe('A command', () => {
  it('ends by itself, whatever it connects to: audit:verify with a Redis that is not there', async () => {
    const tool = new URL('../../src/app/tools/audit.js', import.meta.url).href;
    const program = `const { auditTool } = await import('${tool}');
      process.exitCode = await auditTool(process.env, ['verify'], { say: console.log, note: console.error });`;
    const command = [process.execPath, '--input-type=module', '--eval', program];
    const folder = dataFolder();
    await openDatabase({ dataDir: folder, wait: 0, migrate: true }).then((made) => made.close());
    const env = variables({
      DATA_DIR: folder,
      REDIS_URL: 'redis://127.0.0.1:1',
      LOG_LEVEL: 'silent',
    });
    const child = run('audit:verify', command, { env });
    await child.says('The audit is whole');
    const ended = await Promise.race([child.ended, sleep(20_000, 'still there', { ref: false })]);
    if (ended === 'still there') await child.kill();
    expect(ended, child.output.errors).toBe(0);
  });
});
