/** Returns a day as YYYY-MM-DD when there is such a day, from the year 1. */
export function dateText(text: string): string | undefined {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text) && !text.startsWith('0000');
  const time = isDay ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text) ? text : undefined;
}

/** Returns a time of day as HH:MM:SS. */
export function timeText(text: string): string | undefined {
  const [, minutes, seconds = '00'] =
    /^((?:[01]\d|2[0-3]):[0-5]\d)(?::([0-5]\d))?$/.exec(text) ?? [];
  return minutes && `${minutes}:${seconds}`;
}

const MOMENT =
  /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d(?::\d\d)?)(\.\d{1,9})?([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** Returns a moment in UTC with milliseconds, in the years 1 to 9999. */
export function momentText(text: string): string | undefined {
  const [, day, time, fraction = '', offset] = MOMENT.exec(text) ?? [];
  const clock = time && timeText(time);
  if (!day || !offset || !clock || !dateText(day)) return undefined;
  const moment = new Date(`${day}T${clock}${fraction.slice(0, 4)}${offset.toUpperCase()}`);
  const utc = Number.isNaN(moment.getTime()) ? '' : moment.toISOString();
  return /^\d{4}-/.test(utc) && !utc.startsWith('0000') ? utc : undefined;
}
