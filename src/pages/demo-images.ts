import type { RequestHandler } from 'express';

/**
 * The images of the demo content. They are drawn here, so that a new installation needs no other
 * host.
 */
const DRAWINGS: Readonly<Record<string, string>> = {
  pillbox:
    '<rect x="90" y="190" width="620" height="120" rx="16" fill="#fff"/>' +
    [0, 1, 2, 3, 4, 5, 6]
      .map(
        (day) =>
          `<rect x="${104 + day * 86}" y="204" width="76" height="92" rx="10" fill="${day < 3 ? '#9fd3c7' : '#385170'}"/>`,
      )
      .join(''),
  sunrise:
    '<circle cx="400" cy="330" r="120" fill="#f6c667"/><rect y="330" width="800" height="170" ' +
    'fill="#385170"/>',
  clinic:
    '<rect x="220" y="160" width="360" height="260" rx="8" fill="#fff"/><path d="M380 ' +
    '220h40v40h40v40h-40v40h-40v-40h-40v-40h40z" fill="#c94c4c"/>',
  suitcase:
    '<rect x="200" y="200" width="400" height="240" rx="24" fill="#385170"/><path d="M330 ' +
    '200v-50h140v50" fill="none" stroke="#385170" stroke-width="24"/><circle cx="400" cy="320" ' +
    'r="56" fill="#9fd3c7"/>',
};

/** Serves `/demo/<name>.svg`. */
export const demoImages: RequestHandler = (request, response, next) => {
  const name = String(request.params.name);
  const drawing = Object.hasOwn(DRAWINGS, name) ? DRAWINGS[name] : undefined;
  if (!drawing) return next();
  response
    .set({
      'Content-Type': 'image/svg+xml',
      'Content-Security-Policy': "default-src 'none'",
      'Cache-Control': 'public, max-age=86400',
    })
    .send(
      `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="500" viewBox="0 0 800 500"><rect width="800" height="500" fill="#ececec"/>${drawing}</svg>`,
    );
};
