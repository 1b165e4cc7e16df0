/** The signs that the original shows in place of texts. */
const SIGNS: Readonly<Record<string, readonly string[]>> = {
  '😐': [':neutral:', ':-|', ':|'],
  '😈': [':twisted:'],
  '➡': [':arrow:'],
  '😯': [':shock:', '8-O', '8O'],
  '🙂': [':smile:', ':-)', ':)'],
  '😕': [':???:', ':-?', ':?'],
  '😎': [':cool:', '8-)'],
  '👿': [':evil:'],
  '😀': [':grin:', ':-D', ':D'],
  '💡': [':idea:'],
  '😳': [':oops:'],
  '😛': [':razz:', ':-P', ':P'],
  '🙄': [':roll:'],
  '😉': [':wink:', ';-)', ';)'],
  '😥': [':cry:'],
  '😮': [':eek:', ':-o', ':o'],
  '😆': [':lol:'],
  '😡': [':mad:', ':-x', ':x'],
  '🙁': [':sad:', ':-(', ':('],
  '❗': [':!:'],
  '❓': [':?:'],
};
/** The one that is an image. */
export const IMAGE_SMILEY = ':mrgreen:';

const SIGN_OF = new Map(
  Object.entries(SIGNS).flatMap(([sign, texts]) => texts.map((text) => [text, sign] as const)),
);
const quoted = (text: string) => text.replaceAll(/[()?|]/g, '\\$&');
const BETWEEN = '[\\t\\n\\r \\u00a0]|&nbsp;';
const ALL = [IMAGE_SMILEY, ...SIGN_OF.keys()].map(quoted).join('|');
const SMILEY = new RegExp(`(?<=^|${BETWEEN})(?:${ALL})(?=$|${BETWEEN})`, 'g');

/** Without looking around, it is cheap: most texts have none. */
const ANY = new RegExp(ALL);

/** Elements in which they stay, up to the end of the element that was opened first. */
const UNTOUCHED = /^<(code|pre|style|script|textarea)/;

/**
 * Returns HTML with signs in place of smilies that stand between white space or tags. The one that is an image
 * becomes what `image` says.
 */
export function withSmilies(html: string, image: string): string {
  if (!ANY.test(html)) return html;
  const show = (text: string) => text.replaceAll(SMILEY, (smiley) => SIGN_OF.get(smiley) ?? image);
  let out = '';
  let untouched = '';
  for (const piece of piecesOf(html)) {
    const isTag = piece.startsWith('<');
    if (isTag && untouched === '') untouched = UNTOUCHED.exec(piece)?.[1] ?? '';
    out += isTag || untouched !== '' ? piece : show(piece);
    if (piece === `</${untouched}>`) untouched = '';
  }
  return out;
}

/** Splits HTML at its tags, which are pieces of their own. */
function* piecesOf(html: string): Generator<string> {
  let from = 0;
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', from)) {
    const end = html.indexOf('>', at) + 1;
    if (end === 0) break;
    if (at > from) yield html.slice(from, at);
    yield html.slice(at, end);
    from = end;
  }
  if (from < html.length) yield html.slice(from);
}

/** Returns the image of a smiley as the original of a site shows it. */
export const smileyImage = (siteUrl: string): string =>
  `<img src="${siteUrl}/wp-includes/images/smilies/mrgreen.png" alt="${IMAGE_SMILEY}" class="wp-smiley" style="height: 1em; max-height: 1em;" />`;
