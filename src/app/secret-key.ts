/** A value of SECRET_KEY that the database knows, as a fingerprint (`print`). */
export interface KnownKey {
  readonly print: string;
  /** When a process first started with it; null while it is only announced as SECRET_KEY_NEXT. */
  readonly since: Date | null;
  readonly revokedAt: Date | null;
}

/** The fingerprints of the keys in a process's environment. */
export interface GivenKeys {
  readonly current: string;
  readonly previous?: string | undefined;
  readonly next?: string | undefined;
}

/** The changes that a start makes to the known keys, as fingerprints. */
export interface KeyChanges {
  /** Keys that come into use, the older one first. */
  readonly used: readonly string[];
  readonly announced: readonly string[];
  readonly revoked: readonly string[];
}

/**
 * Decides whether a process with these keys may use the database. Returns the changes that the
 * start makes, or a sentence that refuses it. `leftover` returns what in the database is encrypted
 * under none of these keys. It is called only before the first keys are recorded, and before keys
 * are revoked.
 *
 * A key is replaced in three phases: announced (SECRET_KEY_NEXT); in use (SECRET_KEY, with the
 * earlier key as SECRET_KEY_PREVIOUS); alone (the earlier key is revoked). Processes in two
 * successive phases may run at the same time. See docs/operating.md.
 */
export async function judgeKeys(
  known: readonly KnownKey[],
  given: GivenKeys,
  leftover: () => Promise<string | undefined>,
): Promise<KeyChanges | string> {
  const { current, previous, next } = given;
  const inUse = known.filter(({ since, revokedAt }) => since && !revokedAt);
  const isInUse = (print: string | undefined) => inUse.some((key) => key.print === print);
  const found = known.find(({ print }) => print === current);
  const announced = [next].filter(
    (print) => print !== undefined && !known.some((key) => key.print === print),
  ) as string[];

  if (inUse.length === 0) {
    const left = await leftover();
    if (left) return `SECRET_KEY is not the key of this database: ${left} under another one.`;
    return {
      used: [previous, current].filter((print) => print !== undefined),
      announced,
      revoked: [],
    };
  }
  if (found?.revokedAt || (!isInUse(current) && !isInUse(previous))) return whyUnusable(found);
  const missing = inUse.filter(({ print }) => ![current, previous, next].includes(print));
  const since = isInUse(current) ? (found?.since as Date) : undefined;
  if (since && missing.some((key) => (key.since as Date) > since))
    return (
      'SECRET_KEY was replaced by a key that is in use: start with that one, or give it as ' +
      'SECRET_KEY_NEXT.'
    );
  const left = missing.length > 0 && (await leftover());
  if (left)
    return `The previous key cannot be revoked yet: ${left} under it. Start with it as SECRET_KEY_PREVIOUS for some minutes.`;
  return { used: since ? [] : [current], announced, revoked: missing.map(({ print }) => print) };
}

/** Says why SECRET_KEY may not be used, which is revoked, or not in use. */
function whyUnusable(found: KnownKey | undefined): string {
  if (found?.revokedAt)
    return `SECRET_KEY was revoked at ${found.revokedAt.toISOString()}: start with the key that replaced it.`;
  return found
    ? 'SECRET_KEY is announced and not in use yet: the first start with it needs the key in ' +
        'use as SECRET_KEY_PREVIOUS.'
    : 'SECRET_KEY is not the key of this database: start with that key, or give it as ' +
        'SECRET_KEY_PREVIOUS to replace it.';
}
