/** Names an occurrence by its reminder and the instant of the plan, whether or not it is a row. Clients take it for opaque. */
export function occurrenceId(reminderId: number, at: number): string {
  return `${reminderId.toString(36)}-${Math.round(at / 1000).toString(36)}`;
}

/** The reminder and the instant that an occurrence's name stands for; undefined for any other text. */
export function parseOccurrenceId(id: string): { reminderId: number; at: number } | undefined {
  const [, reminder, seconds] = /^([0-9a-z]{1,6})-(-?[0-9a-z]{1,8})$/.exec(id) ?? [];
  if (reminder === undefined || seconds === undefined) return undefined;
  const reminderId = Number.parseInt(reminder, 36);
  const at = Number.parseInt(seconds, 36) * 1000;
  return reminderId <= 2 ** 31 - 1 && Math.abs(at) < 8.64e15 ? { reminderId, at } : undefined;
}
