/** Elements that an author without unfiltered_html may use in content and excerpt. */
export const CONTENT_ELEMENTS: readonly string[] = [
  ...['address', 'article', 'aside', 'blockquote', 'details', 'div', 'footer', 'header', 'hgroup', 'hr', 'main', 'nav', 'p'],
  ...['pre', 'section', 'summary', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'dd', 'dl', 'dt', 'li', 'menu', 'ol', 'ul'],
  ...['caption', 'col', 'colgroup', 'table', 'tbody', 'td', 'tfoot', 'th', 'thead', 'tr'],
  ...['audio', 'figcaption', 'figure', 'img', 'source', 'track', 'video'],
  ...['a', 'abbr', 'acronym', 'b', 'bdi', 'bdo', 'big', 'br', 'center', 'cite', 'code', 'data', 'del', 'dfn', 'em', 'font', 'i'],
  ...['ins', 'kbd', 'mark', 'q', 'rb', 'rp', 'rt', 'rtc', 'ruby', 's', 'samp', 'small', 'span', 'strike', 'strong', 'sub'],
  ...['sup', 'time', 'tt', 'u', 'var', 'wbr'],
];

/** Elements that the same author may use in a title. */
export const TITLE_ELEMENTS: readonly string[] = [
  ...['a', 'abbr', 'acronym', 'b', 'bdi', 'bdo', 'br', 'cite', 'code', 'del', 'dfn', 'em', 'i', 'ins', 'kbd', 'mark', 'q', 's'],
  ...['samp', 'small', 'span', 'strike', 'strong', 'sub', 'sup', 'time', 'u', 'var', 'wbr'],
];

const CELL = ['abbr', 'align', 'colspan', 'headers', 'rowspan', 'scope', 'valign', 'width', 'height'];

/** Attributes by element; `*` on every element. Whatever runs script or loads a document is absent. */
export const ATTRIBUTES: Record<string, string[]> = {
  '*': ['align', 'aria-*', 'class', 'data-*', 'dir', 'hidden', 'id', 'lang', 'role', 'style', 'title', 'translate', 'xml:lang'],
  a: ['download', 'href', 'hreflang', 'name', 'rel', 'rev', 'target', 'type'],
  audio: ['autoplay', 'controls', 'loop', 'muted', 'preload', 'src'],
  blockquote: ['cite'],
  col: ['span', 'valign', 'width'],
  colgroup: ['span', 'valign', 'width'],
  data: ['value'],
  del: ['cite', 'datetime'],
  details: ['name', 'open'],
  font: ['color', 'face', 'size'],
  hr: ['noshade', 'size', 'width'],
  img: ['alt', 'border', 'decoding', 'fetchpriority', 'height', 'loading', 'longdesc', 'src', 'width'],
  ins: ['cite', 'datetime'],
  li: ['value'],
  ol: ['reversed', 'start', 'type'],
  pre: ['width'],
  q: ['cite'],
  source: ['media', 'src', 'type'],
  table: ['border', 'cellpadding', 'cellspacing', 'rules', 'summary', 'width'],
  td: CELL,
  th: CELL,
  time: ['datetime'],
  track: ['default', 'kind', 'label', 'src', 'srclang'],
  ul: ['type'],
  video: ['autoplay', 'controls', 'height', 'loop', 'muted', 'playsinline', 'poster', 'preload', 'src', 'width'],
};

/** Attributes that hold one address. */
export const ADDRESS_ATTRIBUTES: readonly string[] = ['cite', 'href', 'longdesc', 'poster', 'src'];

export const SCHEMES: readonly string[] = ['http', 'https', 'ftp', 'ftps', 'mailto', 'news', 'sms', 'tel', 'webcal', 'xmpp'];

/** Properties that a `style` attribute may set; those that take an element out of the flow are absent. */
export const STYLE_PROPERTY = new RegExp(
  `^(?:--[a-z0-9-]+|${[
    'align-(?:content|items|self)|aspect-ratio|box-shadow|caption-side|clear|color|column-[a-z]+|columns|direction|display',
    'background(?:-[a-z]+)*|border(?:-[a-z]+)*|filter|flex(?:-[a-z]+)?|float|font(?:-[a-z]+)*|gap|grid-[a-z-]+|height',
    'justify-(?:content|items|self)|letter-spacing|line-height|list-style(?:-[a-z]+)?|(?:margin|padding)(?:-[a-z]+)*',
    '(?:max|min)-(?:height|width)|object-(?:fit|position)|opacity|order|outline(?:-[a-z]+)?|overflow(?:-[a-z]+)?|row-gap',
    'table-layout|text-[a-z-]+|vertical-align|white-space|width|word-(?:break|spacing)|writing-mode',
  ].join('|')})$`,
);

/** Functions that a style value may call. */
export const STYLE_FUNCTIONS: ReadonlySet<string> = new Set([
  ...['calc', 'clamp', 'conic-gradient', 'hsl', 'hsla', 'linear-gradient', 'max', 'min', 'minmax', 'radial-gradient', 'repeat'],
  ...['repeating-linear-gradient', 'repeating-radial-gradient', 'rgb', 'rgba', 'var', 'blur', 'brightness', 'url'],
]);
