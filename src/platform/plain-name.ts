/**
 * The dots that mail programs turn into a link when they stand between letters: the dots of IDNA
 * (RFC 5891, section 5.1).
 */
const DOMAIN = /(?<=[\p{L}\p{N}])[.\u3002](?=\p{L}{2})/gu;
/**
 * The start of a tag, an end tag or a comment (HTML, 13.2.5.6). Clients that insert names as HTML
 * would run it. `<3` starts none.
 */
const TAG = /<(?=[a-z/!?])/giu;
const BROKEN = [/:\/\//g, DOMAIN, /(?<=\bwww)[.\u3002](?=\S)/giu, TAG] as const;
/** Line breaks, other control characters, and characters that change the direction of text. */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/**
 * Returns the text as a reader sees it: in one normal form (NFKC), without invisible characters.
 */
const visibleText = (text: string) => text.normalize('NFKC').replace(/\p{Cf}/gu, '');

/** Top-level domains that are common in links. */
const COMMON_END = new RegExp(
  '\\.(?:com|net|org|info|biz|name|mobi|pro|app|dev|page|site|website|online|shop|store|link|' +
    'click|live|club|cloud|space|tech|xyz|top|zip|mov|example)$',
  'iu',
);
/** Two-letter ends, such as those of countries. */
const SHORT_END = /\.\p{L}{2}$/u;

const TITLES =
  'Mr|Mrs|Ms|Mx|St|Sr|Jr|Fr|Hr|[Dd]r|[Pp]rof|[Ii]ng|[Dd]ipl|[Mm]ed|[Pp]h|[Pp]hil|[Mm]ag';
const TITLE = `(?:${TITLES})`;
const SURNAME = "\\p{Lu}[\\p{L}'’-]+";
const TITLED = new RegExp(`^${TITLE}\\.(?:(?:${TITLE}|\\p{Lu})\\.)*${SURNAME}$`, 'u');
const INITIALS = new RegExp(`^(?:\\p{Lu}\\.)+${SURNAME}$`, 'u');

/**
 * Returns whether the dots of a word follow titles or initials, as in "Dr.Weiss" and "J.Smith".
 * "T.Co" is not such a name.
 */
function isDottedName(word: string): boolean {
  const name = word.replace(/^\(|[,;)]$/g, '');
  if (COMMON_END.test(name)) return false;
  return TITLED.test(name) || (INITIALS.test(name) && !SHORT_END.test(name));
}

const broken = (word: string) => BROKEN.reduce((apart, mark) => apart.replace(mark, ' '), word);

/** Returns the text with each web address and each tag broken into separate words. */
const withoutLinks = (text: string) =>
  text.replace(/\S+/gu, (word) => (isDottedName(word) ? word : broken(word)));

/**
 * Returns whether a text can be a name that other people see: one line, without a tag of HTML and
 * without the address of a web page or a mailbox. "Dr. Weiss", "Dr.Weiss" and "J.R.R.Tolkien" are
 * names; "evil.example" is not. A dot without a space after it is allowed only between a title or
 * initial and a capital letter.
 */
export function isPlainName(text: string): boolean {
  return text.search(CONTROLS) < 0 && withoutLinks(visibleText(text)) === visibleText(text);
}

/**
 * Turns a text into a name that `isPlainName` accepts: breaks addresses and tags apart and replaces
 * line breaks by spaces. The result may be empty.
 */
export function plainName(text: string): string {
  const line = text.replace(CONTROLS, ' ').trim();
  return isPlainName(line) ? line : withoutLinks(visibleText(line)).trim();
}

/**
 * Returns the local part of an e-mail address as a name. It stays unchanged where dots separate the
 * names of a person ("mina.okoro"); otherwise `plainName` is applied. Mails to other people apply
 * `plainName` to all of these names.
 */
export function nameOfMailbox(localPart: string): string {
  const isAddress =
    [COMMON_END, SHORT_END].some((end) => end.test(visibleText(localPart))) ||
    /^www[.\u3002]|[\u3002/<]/iu.test(localPart);
  return isAddress || localPart.search(CONTROLS) >= 0 ? plainName(localPart) : localPart;
}
