// Deterministic, believable texts: the same number always gives the same post.

/** A small seeded generator of numbers from 0 to 1 (mulberry32). */
export function randomOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const pick = (random, list) => list[Math.floor(random() * list.length)];

const WHAT = [
  'blood pressure tablets',
  'an inhaler',
  'insulin',
  'thyroid medicine',
  'painkillers',
  'antibiotics',
  'eye drops',
  'iron tablets',
  'a blood thinner',
  'cholesterol medicine',
  'allergy tablets',
  'a water tablet',
  'a steroid course',
  'vitamin D',
  'migraine medicine',
];
const HOW = [
  'in the morning',
  'with breakfast',
  'on an empty stomach',
  'before bed',
  'after a long journey',
  'when your day changes',
  'on holiday',
  'at weekends',
  'in hot weather',
  'while fasting',
  'when you feel better',
  'when you live alone',
  'at work',
  'after an operation',
];
const OPENINGS = [
  'Taking',
  'Keeping up',
  'Remembering',
  'Starting',
  'Questions about',
  'What to know about',
  'Living with',
  'A calm guide to',
];
const SENTENCES = [
  'Most people find a routine within two or three weeks, and it gets easier from there.',
  "Don't stop on your own because you feel well: feeling well is often the medicine doing its work.",
  'Put the box where you see it at the right moment: next to the kettle, the toothbrush or the ' +
    'keys.',
  'If you notice a rash, a racing heart or dizziness, ring your clinic and say when it began.',
  "Your pharmacist can tell you in a minute whether two medicines go together -- that's what they're there for.",
  'Write the dose and the time on paper as well; a phone may be empty when you need it.',
  'A carer can get the same reminder as you, and sees at once when a dose was missed.',
  'Never take a double dose to make up for a forgotten one, unless your doctor has said so.',
  'Keep tablets dry and below 25 °C, and away from children & pets.',
  'Bring everything you take to the appointment, including what you bought without a prescription.',
  'Ask what the medicine is for, what would make you change it, and whom to call on a Sunday.',
  'It took me a month to say "I need help with this", and one phone call to get it.',
  'Grapefruit, liquorice and some teas change how much of a medicine reaches your blood.',
  'Reminders move with you when you cross a time zone, except those that must keep their hours ' +
    'apart.',
  'A half tablet is fine only when the tablet has a score line, or the leaflet says it may be ' +
    'broken.',
  'Sleep, a short walk and a glass of water do more for many side effects than another tablet.',
  'Some people keep a diary for the first weeks; others just tick the day in the app.',
  'Repeat prescriptions take a few working days, so order when a week is left...',
  "If swallowing is hard, ask for a liquid or a smaller tablet; don't crush what may not be crushed.",
  "Tell us when the times we suggest don't fit your shifts, your prayers or your sleep.",
];
/** A few posts hold characters beyond Latin-1, as texts pasted from elsewhere do. */
const FOREIGN = [
  'Zoë’s rule: one look at the box, one look at the clock.',
  'A temperature ≥ 38 °C → call us the same day.',
];
const SHORT = [
  'The same time every day',
  'One thing at a time',
  'Ask early',
  'Before you travel',
  'When something feels wrong',
  'Who can help',
];

const SYLLABLES = [
  'ab al an bel cal cor dar den el fen gal hep ix jor kel lor mer nov or pral quin rem sul tor ur vel wex xan yor zel'.split(
    ' ',
  ),
  'a e i o u al el il ol ur am em im om an en in on'.split(' '),
  'cept dipine farin lax mab nazole parin pril quine sartan statin terol tidine vir zepam'.split(
    ' ',
  ),
];
export const NAMES = 8_100;

/** The nth name of a medicine, made up; no two are alike. */
export function nameOf(n) {
  const [first, middle, last] = SYLLABLES;
  return first[n % 30] + middle[Math.floor(n / 30) % 18] + last[Math.floor(n / 540) % 15];
}

/**
 * Names as texts use them: the first in one post of ten, one of a hundred in one of a thousand, the
 * last in one of ninety thousand.
 */
const someName = (random) => nameOf(Math.floor(NAMES ** random()) - 1);
const question = (random) =>
  `People who take ${someName(random)} ask about ${someName(random)} more than about anything else.`;

const paragraph = (random, sentences) => {
  const text = Array.from({ length: sentences }, () => pick(random, SENTENCES));
  if (random() < 0.04) text.push(pick(random, FOREIGN));
  return text.join(' ');
};
const block = (name, html) => `<!-- wp:${name} -->\n${html}\n<!-- /wp:${name} -->`;

/** Content made with the block editor: paragraphs, a heading, a list. */
function blocks(random) {
  const items = Array.from(
    { length: 3 },
    () => `<!-- wp:list-item -->\n<li>${pick(random, SHORT)}</li>\n<!-- /wp:list-item -->`,
  );
  return [
    block('paragraph', `<p>${question(random)} ${paragraph(random, 2)}</p>`),
    block('heading', `<h2 class="wp-block-heading">${pick(random, SHORT)}</h2>`),
    block('paragraph', `<p>${paragraph(random, 4)}</p>`),
    block('list', `<ul class="wp-block-list">${items.join('\n\n')}</ul>`),
    block('paragraph', `<p>${paragraph(random, 2)} <strong>${pick(random, SHORT)}.</strong></p>`),
    block('paragraph', `<p>${paragraph(random, 3)}</p>`),
  ].join('\n\n');
}

/** Content written in the plain editor: paragraphs apart by an empty line, a little markup. */
function classic(random) {
  return [
    `${question(random)} ${paragraph(random, 2)}`,
    `${paragraph(random, 4)} <em>${pick(random, SHORT)}.</em>`,
    `<ul>\n<li>${pick(random, SHORT)}</li>\n<li>${pick(random, SHORT)}</li>\n</ul>`,
    `${paragraph(random, 3)}\n${paragraph(random, 2)}`,
    paragraph(random, 2),
  ].join('\n\n');
}

/** Title and content of the nth post. */
export function writePost(n) {
  const random = randomOf(n);
  const title = `${pick(random, OPENINGS)} ${pick(random, WHAT)} ${pick(random, HOW)}`;
  return { title, content: random() < 0.6 ? blocks(random) : classic(random) };
}
