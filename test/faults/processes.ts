// Child processes of the tests of storage.
import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { whenOver } from '../support/running.js';

export interface Child {
  /** What it wrote so far. */
  readonly output: { text: string; errors: string };
  /** Resolves with the exit code, null when a signal ended it, once all it wrote has arrived. */
  readonly ended: Promise<number | null>;
  readonly hasEnded: boolean;
  /** Resolves when its output holds the text; rejects when it ends before. */
  says(text: string): Promise<void>;
  /** Resolves with the text once it said it, or with "refused" when it ended instead. */
  outcome(text: string): Promise<string>;
  signal(name: NodeJS.Signals): void;
  kill(): Promise<void>;
  readonly pid: number;
}

/** Starts one of the programs of this folder. */
export function start(program: string, environment: NodeJS.ProcessEnv, user?: number): Child {
  const path = fileURLToPath(new URL(program, import.meta.url));
  const identity = user === undefined ? {} : { uid: user, gid: user };
  return run(program, [process.execPath, path], {
    env: { ...process.env, ...environment },
    ...identity,
  });
}

/** Runs a command, whose messages call it `program`. */
export function run(
  program: string,
  [command = '', ...args]: readonly string[],
  options: SpawnOptions,
): Child {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  whenOver(() => child.kill('SIGKILL')); // a test that failed leaves it behind
  const output = { text: '', errors: '' };
  child.stdout.on('data', (chunk) => (output.text += chunk));
  child.stderr.on('data', (chunk) => (output.errors += chunk));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const says = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const look = () => output.text.includes(text) && resolve();
      child.stdout.on('data', look);
      look();
      void ended.then((code) =>
        reject(new Error(`${program} ended (${code}) before it said "${text}": ${output.errors}`)),
      );
    });
  return {
    output,
    ended,
    get hasEnded() {
      return child.exitCode !== null || child.signalCode !== null;
    },
    says,
    outcome: (text) =>
      says(text).then(
        () => text,
        () => 'refused',
      ),
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
    pid: child.pid as number,
    signal: (name) => void child.kill(name),
  };
}
