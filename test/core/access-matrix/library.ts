// Videos and quotes.
import { type AccessTable, EVERYONE, LIBRARIANS } from './rules.js';

const VIDEO =
  'title: "x", url: "https://youtu.be/dQw4w9WgXcQ", durationSeconds: 60, languageCode: "en"';

export const library: AccessTable = {
  lines: [
    ['videos', '{ videos { nodes { id } } }', EVERYONE],
    ['quoteOfTheDay', '{ quoteOfTheDay { date } }', EVERYONE, 'QUOTE_NOT_FOUND'],
    ['quotes', '{ quotes { nodes { id } } }', LIBRARIANS],
    ['createVideo', `mutation { createVideo(input: { ${VIDEO} }) { video { id } } }`, LIBRARIANS],
    [
      'updateVideo',
      'mutation { updateVideo(input: { id: "4711", title: "x" }) { video { id } } }',
      LIBRARIANS,
      'VIDEO_NOT_FOUND',
    ],
    [
      'deleteVideo',
      'mutation { deleteVideo(input: { id: "4711" }) { video { id } } }',
      LIBRARIANS,
      'VIDEO_NOT_FOUND',
    ],
    [
      'createQuote',
      'mutation { createQuote(input: { text: "x", languageCode: "en" }) { quote { id } } }',
      LIBRARIANS,
    ],
    [
      'updateQuote',
      'mutation { updateQuote(input: { id: "4711", text: "x" }) { quote { id } } }',
      LIBRARIANS,
      'QUOTE_NOT_FOUND',
    ],
    [
      'deleteQuote',
      'mutation { deleteQuote(input: { id: "4711" }) { quote { id } } }',
      LIBRARIANS,
      'QUOTE_NOT_FOUND',
    ],
  ],
};
