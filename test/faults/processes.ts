// Child processes of the tests of storage.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface Child {
  readonly process: ChildProcess;
  /** What it wrote so far. */
  readonly output: { text: string; errors: string };
  /** Resolves with the exit code, null when a signal ended it, once all it wrote has arrived. */
  readonly ended: Promise<number | null>;
  /** Resolves when its output holds the text; rejects when it ends before. */
  says(text: string): Promise<void>;
  kill(): Promise<void>;
}

/** Starts one of the programs of this folder. */
export function start(program: string, environment: NodeJS.ProcessEnv, user?: number): Child {
  const path = fileURLToPath(new URL(program, import.meta.url));
  const identity = user === undefined ? {} : { uid: user, gid: user };
  const child = spawn(process.execPath, [path], { env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'pipe'], ...identity });
  const output = { text: '', errors: '' };
  child.stdout.on('data', (chunk) => (output.text += chunk));
  child.stderr.on('data', (chunk) => (output.errors += chunk));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return {
    process: child,
    output,
    ended,
    says: (text) =>
      new Promise((resolve, reject) => {
        const look = () => output.text.includes(text) && resolve();
        child.stdout.on('data', look);
        look();
        void ended.then((code) => reject(new Error(`${program} ended (${code}) before it said "${text}": ${output.errors}`)));
      }),
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
