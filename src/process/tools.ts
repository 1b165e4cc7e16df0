import { runTool } from '../app/tools/tool.js';

const output = { say: console.log, note: console.error };

type Tool = (environment: NodeJS.ProcessEnv, args: readonly string[]) => Promise<number>;

/** The commands of operators, each loaded when it is run. */
const TOOLS: Readonly<Record<string, () => Promise<Tool>>> = {
  migrate: async () => {
    const { migrateTool } = await import('../app/tools/migrate.js');
    return (environment) => migrateTool(environment, output);
  },
  doctor: async () => {
    const { doctorTool } = await import('../app/tools/doctor.js');
    return (environment) => doctorTool(environment, output);
  },
  backup: async () => {
    const { backupTool } = await import('../app/tools/backup.js');
    return (environment, args) => backupTool(environment, args, output);
  },
  restore: async () => {
    const { restoreTool } = await import('../app/tools/backup.js');
    return (environment, args) => restoreTool(environment, args, output);
  },
  'move-to-postgres': async () => {
    const { moveToPostgresTool } = await import('../app/tools/move-to-postgres.js');
    return (environment) => moveToPostgresTool(environment, output);
  },
  account: async () => {
    const { accountTool } = await import('../app/tools/account.js');
    return async (environment, args) => {
      await accountTool(environment, args, output.say);
      return 0;
    };
  },
  models: async () => {
    const { modelsTool } = await import('../app/tools/models.js');
    return (environment, args) => modelsTool(environment, args, output.say);
  },
  import: async () => {
    const { importTool } = await import('../app/tools/import.js');
    return (environment, args) => importTool(environment, args, output);
  },
  export: async () => {
    const { exportTool } = await import('../app/tools/export.js');
    return (environment, args) => exportTool(environment, args, output);
  },
  'audit:verify': () => auditTool('verify'),
  'audit:prune': () => auditTool('prune'),
  'reports:rebuild': async () => {
    const { reportsTool } = await import('../app/tools/reports.js');
    return (environment) => reportsTool(environment, output);
  },
  'directions:check': async () => {
    const { directionsTool } = await import('../app/tools/directions.js');
    return (environment, args) => directionsTool(environment, args, output);
  },
};

async function auditTool(command: string): Promise<Tool> {
  const { auditTool: run } = await import('../app/tools/audit.js');
  return (environment, args) => run(environment, [command, ...args], output);
}

/**
 * Runs a command of operators by its name, as after `npm run`, and ends the process with its exit
 * code; with 2 when there is no such command.
 */
export async function runNamedTool([name = '', ...args]: readonly string[]): Promise<void> {
  const load = Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined;
  if (load) return runTool(async () => (await load())(process.env, args));
  process.stderr.write(`The commands are ${Object.keys(TOOLS).join(', ')}.\n`);
  process.exitCode = 2;
}
