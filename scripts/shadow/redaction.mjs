// Shows where two answers differ without showing what anybody wrote.

/** Values of these are words of the interface. */
const WORDS = new Set([
  ...['status', 'type', 'format', 'taxonomy', 'comment_status', 'ping_status', 'media_type'],
  'mime_type',
]);
/** Parameters whose values say how a list is read. */
const PARAMETERS = new Set([
  ...['page', 'per_page', 'offset', 'order', 'orderby', 'context', 'status', 'sticky'],
  ...['_fields', '_embed', 'hide_empty', 'parent', 'menu_order', 'format'],
]);
const BEFORE = 40;
const LONGEST = 120;

/** Returns a text with the same signs, but with x or X for each letter and 0 for each digit. */
export const masked = (text) =>
  text
    .replaceAll(/[\p{L}\p{M}]/gu, (letter) => (/\p{Lu}/u.test(letter) ? 'X' : 'x'))
    .replaceAll(/\p{N}/gu, '0');

/** Returns the kind of a difference: its path, where positions in lists count alike. */
export const kindOf = ({ path, expected, found }) =>
  path === '/status'
    ? `status ${expected} here ${found}`
    : maskedNames(path)
        .replaceAll(/\/\d+(?=\/|$)/g, '/N')
        .slice(0, 200);

/** Names of properties that are no identifiers may be what somebody wrote. */
const maskedNames = (path) =>
  path
    .split('/')
    .map((name) => (/^[\w:.-]{0,64}$/.test(name) ? name : masked(name)))
    .join('/');

/** Returns both sides of a difference around the place where they part. */
export function shown({ path, expected, found }) {
  const isPlain =
    /^\/(?:status$|headers\/|body\/code$)/.test(path) || WORDS.has(path.split('/').at(-1));
  const [theirs, ours] = [expected, found].map((value) => JSON.stringify(value) ?? 'nothing');
  let same = 0;
  while (same < theirs.length && theirs[same] === ours[same]) same++;
  const part = (value) => {
    const around = value
      .slice(Math.max(0, same - BEFORE))
      .slice(0, LONGEST)
      .toWellFormed();
    return isPlain || /^(?:null|true|false|nothing)$/.test(value) ? around : masked(around);
  };
  return { original: part(theirs), here: part(ours) };
}

/** Returns a request without what it asks for by words: numbers of rows stay. */
export function requestShown({ method, path, route }) {
  const [asked, query] = path.split('?');
  const names = route.split('/');
  const shownPath = asked
    .replace(/\/$/, '')
    .split('/')
    .map((name, i) => (/^\d{1,10}$/.test(name) ? name : names[i]))
    .join('/');
  const parameters = [...new URLSearchParams(query)].map(([name, value]) => {
    const key = /^[\w[\]]{1,40}$/.test(name) ? name : masked(name.slice(0, 40));
    return `${key}=${PARAMETERS.has(name) ? value.slice(0, 80) : masked(value.slice(0, 80))}`;
  });
  return `${method} ${shownPath}${parameters.length > 0 ? '?' : ''}${parameters.join('&')}`;
}
