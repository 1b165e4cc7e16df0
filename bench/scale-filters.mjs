// Thirty-two lists of posts by what people and programs filter by, of a database that scale-database.mjs
// made: its category 2 is filed under most, tags begin at 201, authors at 1000002.

const CATEGORY = { often: 2, seldom: 190, parent: 4 };
const TAG = { often: 201, second: 203, seldom: 4_000 };
const AUTHOR = 1_000_007;

/** By name, the query of `GET /v1/posts`, or a function of the number of published posts. */
export const FILTERS = {
  'no filter': '',
  'the first hundred': 'per_page=100',
  'page in the middle': (posts) => `page=${Math.floor(posts / 20)}`,
  'last page': (posts) => `page=${Math.floor(posts / 10)}`,
  'far offset': (posts) => `offset=${Math.floor(posts * 0.7)}`,
  'oldest first': 'order=asc',
  'by title': 'orderby=title&order=asc',
  'by slug': 'orderby=slug&order=asc',
  'by change': 'orderby=modified',
  'by author': 'orderby=author',
  'by id': 'orderby=id',
  'often used category': `categories=${CATEGORY.often}`,
  'seldom used category': `categories=${CATEGORY.seldom}`,
  'category and those below': `categories[terms]=${CATEGORY.parent}&categories[include_children]=true`,
  'often used tag': `tags=${TAG.often}`,
  'seldom used tag': `tags=${TAG.seldom}`,
  'any of several categories': 'categories=2,3,5,7,11',
  'all of several tags': `tags[terms]=${TAG.often},${TAG.second}&tags[operator]=AND`,
  'category and tag': `categories=${CATEGORY.often}&tags=${TAG.often}`,
  'category or tag': `categories=${CATEGORY.often}&tags=${TAG.second}&tax_relation=OR`,
  'excluded category': `categories_exclude=${CATEGORY.often}`,
  'excluded tags': `tags_exclude=${TAG.often},${TAG.second}`,
  'far page of a category': (posts) =>
    `categories=${CATEGORY.often}&page=${Math.max(1, Math.floor(posts / 200))}`,
  'common word': 'search=medicine',
  'common word by date': 'search=clinic&orderby=date',
  'common words': 'search=medicine+breakfast',
  'best matches of a common word': 'search=medicine&orderby=relevance',
  'best matches of common words': 'search=medicine+breakfast&orderby=relevance',
  'seldom word': 'search=pralurdipine',
  'of an author': `author=${AUTHOR}`,
  'without an author': `author_exclude=${AUTHOR}`,
  'of a format': 'format=quote',
};
