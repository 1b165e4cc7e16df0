// What Jest's light runner lacks: time limits, cleaning up after one test, and messages of `expect`.
// Each worker loads this file once, before its first test file.
import { inspect } from 'node:util';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';

/** Shortest limit of a test or a hook, in milliseconds: a shorter one fails on a busy machine. */
const SHORTEST = 15 * 60 * 1000;
/** Limit of a test or a hook that names none. */
const LIMIT = (process.env.NIGHTLY ? 4 : 1) * SHORTEST;
/** The part of a test's limit after which a property fails with the smallest case it has found. */
const PROPERTY_SHARE = 0.8;
/** How long after its limit a test that never yields is left alone, in milliseconds. */
const GRACE = 10_000;

/** Lines of a stack that lie in this file. */
const OWN_FRAMES = /\n +at [^\n]*\/support\/running\.[jt]s:[\d:]+\)?/g;

type Body = () => unknown;

declare global {
  namespace jest {
    interface Expect {
      /** Like `expect(actual)`; a failure begins with the message, which says what failed. */
      // biome-ignore lint/style/useShorthandFunctionType: adds to an interface of Jest's types
      <T>(actual: T, message: string | undefined): jest.JestMatchers<T>;
    }
    interface Matchers<R> {
      /** Passes when the function returns true for the value. */
      // biome-ignore lint/suspicious/noExplicitAny: anything can be thrown
      toSatisfy(holds: (value: any) => boolean): R;
    }
  }
}

// Tests may replace the timers of the process.
const { setTimeout, clearTimeout } = globalThis;

/** Fails what runs now, with an error that nobody caught. */
let fail: ((error: unknown) => void) | undefined;
/** What the running test has asked `whenOver` for, the last first. */
let cleanups: Body[] | undefined;

/** Runs `body` when the running test is over; outside of a test, when all tests of the file are. */
export function whenOver(body: Body): void {
  if (cleanups) cleanups.unshift(body);
  else afterAll(body);
}

/** Ends what tests share when one of them takes too long. */
let abandon: Body | undefined;

/** Runs `body` when a test or a hook takes too long: it goes on, and would change what others use. */
export function whenTooLong(body: Body): void {
  abandon = body;
}

/** Ends the process when a test blocks it for too long: no timer of its own thread could. */
const watchdog = new Worker(
  `const { parentPort } = require('node:worker_threads');
  let timer;
  parentPort.on('message', ({ title, limit }) => {
    clearTimeout(timer);
    if (title === undefined) return;
    timer = setTimeout(() => {
      require('node:fs').writeSync(2, title + ': blocks its process for too long\\n');
      process.kill(process.pid, 'SIGKILL');
    }, limit);
  });`,
  { eval: true },
);
watchdog.unref();

/** Runs a body. Throws what it throws, what nobody catches meanwhile, or that it took too long. */
async function within(limit: number, title: string, body: Body): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const ended = new Promise<never>((_, reject) => {
    fail = reject;
    timer = setTimeout(() => {
      reject(new Error(`${title}: took longer than ${limit} ms`));
      abandon?.();
    }, limit);
  });
  watchdog.postMessage({ title, limit: limit + GRACE });
  try {
    await Promise.race([Promise.resolve().then(body), ended]);
  } finally {
    fail = undefined;
    clearTimeout(timer);
    watchdog.postMessage({});
  }
}

/** Throws for a function with arguments, which the runner would wait for, and for a short limit. */
function judge(title: string, body: Body, limit: number): void {
  if (body.length > 0) throw new Error(`${title}: a test or a hook takes no argument.`);
  if (limit < SHORTEST)
    throw new Error(`${title}: a limit of ${limit} ms fails on a busy machine.`);
}

/** The runner prints the stack alone, so whatever else an error says goes there. */
function readable(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(`threw ${inspect(error)}`);
  const text = 'matcherResult' in error ? error.stack : inspect(error);
  error.stack = text?.replaceAll(OWN_FRAMES, '');
  return error;
}

function limitTests(name: 'it' | 'test'): void {
  const plain = globalThis[name];
  const limited = (title: string, body: Body, limit = LIMIT) => {
    judge(title, body, limit);
    plain(title, async () => {
      const interruptAfterTimeLimit = limit * PROPERTY_SHARE;
      fc.configureGlobal({ interruptAfterTimeLimit, markInterruptAsFailure: true });
      const errors: unknown[] = [];
      cleanups = [];
      await within(limit, title, body).catch((error) => errors.push(error));
      for (const cleanup of cleanups)
        await within(LIMIT, title, cleanup).catch((error) => errors.push(error));
      cleanups = undefined;
      if (errors.length > 1)
        throw readable(new AggregateError(errors, 'A test and its cleaning up'));
      if (errors.length > 0) throw readable(errors[0]);
    });
  };
  Object.assign(globalThis, { [name]: Object.assign(limited, plain) });
}

function limitHooks(name: 'beforeAll' | 'beforeEach' | 'afterEach' | 'afterAll'): void {
  const plain = globalThis[name];
  const limited = (body: Body, limit = LIMIT) => {
    judge(name, body, limit);
    plain(() => within(limit, name, body).catch((error) => Promise.reject(readable(error))));
  };
  Object.assign(globalThis, { [name]: limited });
}

/** The matchers of an expectation, whose failures begin with the message. */
function explained<T extends object>(matchers: T, message: string): T {
  const explain = (error: unknown): never => {
    if (!(error instanceof Error)) throw error;
    error.stack = `${message}\n\n${error.stack}`;
    error.message = `${message}\n\n${error.message}`;
    throw error;
  };
  return new Proxy(matchers, {
    get(target, name) {
      const member = (target as Record<string | symbol, unknown>)[name];
      if (typeof member === 'object' && member !== null) return explained(member, message);
      if (typeof member !== 'function') return member;
      return (...expected: unknown[]) => {
        try {
          const result = member(...expected);
          return result instanceof Promise ? result.catch(explain) : result;
        } catch (error) {
          return explain(error);
        }
      };
    },
  });
}

const plainExpect = expect;
plainExpect.extend({
  toSatisfy(received: unknown, holds: (value: unknown) => boolean) {
    const pass = holds(received) === true;
    return {
      pass,
      message: () => `${inspect(received)} ${pass ? 'satisfies' : 'does not satisfy'} ${holds}`,
    };
  },
});
const expectWithMessage = (actual: unknown, message?: string) =>
  message === undefined ? plainExpect(actual) : explained(plainExpect(actual), message);
Object.assign(globalThis, { expect: Object.assign(expectWithMessage, plainExpect) });

for (const name of ['it', 'test'] as const) limitTests(name);
for (const name of ['beforeAll', 'beforeEach', 'afterEach', 'afterAll'] as const) limitHooks(name);

for (const event of ['uncaughtException', 'unhandledRejection'] as const)
  process.on(event, (error: unknown) => {
    if (fail) return fail(error);
    process.stderr.write(`Outside of any test: ${inspect(error)}\n`);
    process.exit(1);
  });

// A worker ends when the runner lets go of it, whatever its service still holds open.
process.once('disconnect', () => process.exit());
process.setSourceMapsEnabled(true);
