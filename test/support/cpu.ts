/**
 * Milliseconds of CPU that work takes, which do not grow because a machine has other things to do.
 */
export function cpuOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
