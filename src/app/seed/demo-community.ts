import type { RequestContext } from '../../core/context.js';
import { ANONYMOUS } from '../../core/viewer.js';
import { createForm } from '../../domains/forms/form.service.js';
import { submitForm } from '../../domains/forms/submission.service.js';
import { createQuote } from '../../domains/quotes/quote.service.js';
import type { CreateVideoInput } from '../../domains/videos/video.inputs.js';
import { createVideo } from '../../domains/videos/video.service.js';

const DAY = 24 * 60 * 60 * 1000;

/** The demo videos; the first is the newest. They are public films of the WHO and open samples. */
const VIDEOS: readonly CreateVideoInput[] = [
  {
    title: 'Taking medicine safely',
    description: 'What to ask before you take a new medicine, and how to keep a list.',
    url: 'https://www.youtube.com/watch?v=MWUM7LIXDeA',
    durationSeconds: 126,
    languageCode: 'en',
    captions: [
      { languageCode: 'en', label: 'English', url: 'https://media.example/medicine.en.vtt' },
      { languageCode: 'de', label: 'Deutsch', url: 'https://media.example/medicine.de.vtt' },
    ],
    thumbnailUrl: 'https://i.ytimg.com/vi/MWUM7LIXDeA/hqdefault.jpg',
  },
  {
    title: 'Ten minutes on a chair',
    description: 'Exercises for shoulders, knees and back that need nothing but a chair.',
    url: 'https://media.example/chair.mp4',
    durationSeconds: 615,
    languageCode: 'en',
    captions: [{ languageCode: 'en', label: 'English', url: 'https://media.example/chair.en.vtt' }],
    thumbnailUrl: 'https://media.example/chair.jpg',
  },
  {
    title: 'Blutzucker richtig messen',
    description: 'Schritt für Schritt, mit den häufigsten Fehlern.',
    url: 'https://vimeo.com/76979871',
    durationSeconds: 62,
    languageCode: 'de',
  },
];

const QUOTES: readonly (readonly [languageCode: string, text: string, author?: string])[] = [
  ['en', 'It does not matter how slowly you go as long as you do not stop.', 'Confucius'],
  ['en', 'The greatest wealth is health.', 'Virgil'],
  ['en', 'A journey of a thousand miles begins with a single step.', 'Lao Tzu'],
  ['en', 'He who has health has hope; and he who has hope has everything.', 'Arabian proverb'],
  ['en', 'Rest is not idleness.', 'John Lubbock'],
  ['en', 'Well begun is half done.'],
  ['de', 'Gesundheit ist nicht alles, aber ohne Gesundheit ist alles nichts.', 'Schopenhauer'],
  ['de', 'Wer rastet, der rostet.'],
  ['de', 'Auch aus Steinen, die einem in den Weg gelegt werden, kann man Schönes bauen.', 'Goethe'],
  ['de', 'Eile mit Weile.'],
  ['ar', 'الصحة تاج على رؤوس الأصحاء لا يراه إلا المرضى'],
  ['ar', 'درهم وقاية خير من قنطار علاج'],
];

/** Creates videos and quotes. */
export async function seedCommunity(editor: RequestContext): Promise<void> {
  for (const [i, video] of VIDEOS.entries()) {
    const publishedAt = new Date(editor.deps.clock() - (i + 1) * 3 * DAY);
    await createVideo(editor, { ...video, publishedAt });
  }
  for (const [languageCode, text, author] of QUOTES)
    await createQuote(editor, { languageCode, text, ...(author && { author }) });
}

const SENDERS = [
  ['Ada Berg', 'ada@example.com', '030 901820', 'ios', 12],
  ['Ben Costa', 'ben@example.com', '+351 912 345 678', 'android', 4.5],
  ['Chi Duong', 'chi@example.com', '(212) 736-5000', 'web', 19],
] as const;

/** Creates a form, and what people have sent by it. */
export async function seedForms(administrator: RequestContext): Promise<void> {
  const { id: formId } = await createForm(administrator, {
    name: 'Wellbeing in the last two weeks',
    scoreLeast: 0,
    scoreMost: 27,
  });
  const visitor = administrator.as(ANONYMOUS);
  for (const [name, email, phone, platform, score] of SENDERS)
    await submitForm(visitor, { formId, name, email, phone, platform, score });
}
