/**
 * Returns whether a clock (milliseconds as if UTC) shows a time within quiet hours (HH:MM, the end
 * not included), which may go past midnight.
 */
export function isQuiet(
  {
    quietStart,
    quietEnd,
  }: { readonly quietStart: string | null; readonly quietEnd: string | null },
  local: number,
): boolean {
  if (quietStart === null || quietEnd === null) return false;
  const time = new Date(local).toISOString().slice(11, 16);
  return quietStart < quietEnd
    ? quietStart <= time && time < quietEnd
    : quietStart <= time || time < quietEnd;
}
