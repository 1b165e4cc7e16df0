import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import { isUnavailable } from './database/database-errors.js';
import { LogLines } from './log-lines.js';

const LONGEST = 300;

/**
 * Returns what the log holds about an error: type, code, last line of the message, and stack.
 * Drivers put the values of rows and arguments into the other lines and details, and the log must
 * hold no personal data.
 */
export function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const message = error.message.trim().split('\n').at(-1)?.replace(CONTROLS, ' ').slice(0, LONGEST);
  return { ...describeFailure(error), message };
}

/**
 * Returns what `describeError` returns, without the message. Use it for errors while working on
 * personal data, which even the last line of a message may quote.
 */
export function describeFailure(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const { name, stack = '', code } = error as NodeJS.ErrnoException;
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  return { type: name, code, stack: frames.join('\n') };
}

const LONGEST_FIELD = 100;
const CONTROLS = /[\p{Cc}\u2028\u2029]+/gu;
const CONTROL = /[\p{Cc}\u2028\u2029]/u;

/**
 * Prepares the text fields of a log line, which may come from callers: removes control characters
 * and cuts each at 100 characters.
 */
function sanitizedFields(fields: Record<string, unknown>): Record<string, unknown> {
  if (Object.values(fields).every(isClean)) return fields;
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replace(CONTROLS, ' ').slice(0, LONGEST_FIELD) : value,
    ]),
  );
}

const isClean = (value: unknown) =>
  typeof value !== 'string' || (value.length <= LONGEST_FIELD && !CONTROL.test(value));

/**
 * Minimum interval between two log lines about an unavailable database, in milliseconds. During an
 * outage every attempt fails.
 */
const OUTAGE_EVERY = 60_000;

/**
 * Returns a logger that writes one line of JSON for each event. Text fields are cut at 100
 * characters; the message is not, because it never comes from a caller. Errors about an unavailable
 * database are logged at most once a minute; `leftOut` counts the lines that were not written
 * since. Without a destination, lines go to standard output (`LogLines`).
 */
export function makeLog(level: string, destination?: DestinationStream): Logger {
  let [next, leftOut] = [Number.NEGATIVE_INFINITY, 0];
  const options: LoggerOptions = {
    level,
    base: undefined,
    serializers: { err: describeError },
    formatters: { log: sanitizedFields },
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
  return pino(options, destination ?? new LogLines());
}
