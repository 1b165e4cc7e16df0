const WRITTEN = 'Wordpress';
const NAME = 'WordPress';

/** Returns a title in which the name of the original is written as the original writes it. */
export const namedTitle = (html: string): string => html.replaceAll(WRITTEN, NAME);

/** Returns a content with that name so written behind a blank, a tag or a bracket. */
export const named = (html: string): string => html.replaceAll(/(?<=[ >(])Wordpress/g, NAME);

/** The same behind a quote that opens, once typography has told which do. */
export const namedInQuotes = (html: string): string =>
  html.replaceAll(/(?<=&#82(?:16|20);)Wordpress/g, NAME);
