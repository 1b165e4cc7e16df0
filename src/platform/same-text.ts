import { timingSafeEqual } from 'node:crypto';

/** Returns whether two texts are equal, in a time that does not tell where they differ. */
export function isSameText(expected: string, given: string | null): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(given ?? '')];
  return one.length === other.length && timingSafeEqual(one, other);
}
