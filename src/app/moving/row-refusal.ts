/** The SQLSTATE and message of an error of the database, wherever it stands. */
function stateOf(error: unknown): { readonly code: string; readonly message: string } {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code, meta } = at as {
      code?: string;
      meta?: { driverAdapterError?: { cause?: unknown } };
    };
    const cause = meta?.driverAdapterError?.cause as
      | { originalCode?: string; originalMessage?: string }
      | undefined;
    if (cause?.originalCode)
      return { code: cause.originalCode, message: cause.originalMessage ?? '' };
    if (code && /^[0-9A-Z]{5}$/.test(code)) return { code, message: at.message };
  }
  return { code: '', message: '' };
}

/**
 * Whether an error is of what a row holds, and not of the connection or the server: a value (class 22 of
 * SQLSTATE), a constraint (23, 44), or a size that PostgreSQL does not hold (54).
 */
export const isOfRow = (error: unknown): boolean =>
  /^(?:2[23]|44|54)...$/.test(stateOf(error).code);

/** What PostgreSQL says of values, by SQLSTATE. */
const REASONS: readonly (readonly [code: RegExp, reason: string])[] = [
  [/^22003$/, 'a number of it is out of the range of the database'],
  [/^2200[78]$/, 'a date of it is none that the database takes'],
  [/^22(?:021|P05)$/, 'a text of it has characters that the database cannot hold'],
  [/^54/, 'it is larger than the database takes'],
];

const CONFLICT = 'the database refuses it: ';

/** Whether a constraint of the database refused a row, such as that another has its slug. */
export const isConflict = ({ reason }: { readonly reason?: string }): boolean =>
  Boolean(reason?.startsWith(CONFLICT));

/** Returns why the database refuses a row, without a text of it. */
export function reasonOf(error: unknown): string {
  const { code, message } = stateOf(error);
  const [, constraint] = /constraint "(\w+)"/.exec(message) ?? [];
  if (constraint) return CONFLICT + constraint;
  if (code === '54000' && /^index row /.test(message))
    return 'a text of it is too long for an index of the database (2,704 bytes)';
  const [, reason] = REASONS.find(([one]) => one.test(code)) ?? [];
  return reason ?? 'the database refuses a value of it';
}
