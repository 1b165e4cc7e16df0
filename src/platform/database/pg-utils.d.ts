/** What pg exports under `lib` and its types do not declare. */
declare module 'pg/lib/utils.js' {
  const utils: {
    /** Returns a value as it is sent to the server: dates, arrays and objects as text. */
    prepareValue(value: unknown): string | Buffer | null;
  };
  export default utils;
}
