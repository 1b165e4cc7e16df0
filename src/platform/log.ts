import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import { isUnavailable } from './database/errors.js';

const LONGEST = 300;

/**
 * What the log says of an error: its kind, its code, the last line of its message and where it came
 * from. Drivers put values of rows and arguments into messages and details, and nobody's data
 * belongs in a log.
 */
export function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const message = error.message.trim().split('\n').at(-1)?.replace(CONTROLS, ' ').slice(0, LONGEST);
  return { ...describeFailure(error), message };
}

/**
 * The same without its message, for what failed on somebody's data: even the last line may quote
 * them.
 */
export function describeFailure(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const { name, stack = '', code } = error as NodeJS.ErrnoException;
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  return { type: name, code, stack: frames.join('\n') };
}

const LONGEST_FIELD = 100;
const CONTROLS = /[\p{Cc}\u2028\u2029]+/gu;

/**
 * Texts beside the message as the log keeps them, since callers may have written them: without
 * control characters, 100 characters at most.
 */
function brief(fields: Record<string, unknown>): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields))
    kept[name] =
      typeof value === 'string' ? value.replace(CONTROLS, ' ').slice(0, LONGEST_FIELD) : value;
  return kept;
}

/**
 * While the database is away whatever is tried fails: of lines about that, one in so many
 * milliseconds is written.
 */
const OUTAGE_EVERY = 60_000;

/**
 * A log of one JSON line an event. Texts in its fields are cut at 100 characters; the message,
 * which is ours, is not. Of failures because the database is away it has one line a minute, with
 * how many were `leftOut` before.
 */
export function makeLog(level: string, destination?: DestinationStream): Logger {
  let [next, leftOut] = [Number.NEGATIVE_INFINITY, 0];
  const options: LoggerOptions = {
    level,
    base: undefined,
    serializers: { err: describeError },
    formatters: { log: brief },
    hooks: {
      logMethod(args, method) {
        const [fields, ...rest] = args as unknown as [object | string, ...unknown[]];
        if (typeof fields !== 'object' || !('err' in fields) || !isUnavailable(fields.err))
          return method.apply(this, args);
        leftOut++;
        if (performance.now() < next) return;
        method.apply(this, [
          { ...fields, leftOut: leftOut - 1 },
          ...rest,
        ] as unknown as typeof args);
        [next, leftOut] = [performance.now() + OUTAGE_EVERY, 0];
      },
    },
  };
  return destination ? pino(options, destination) : pino(options);
}
