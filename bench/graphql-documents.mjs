// What GraphQL is asked in the benchmark, of the service and of PostGraphile 4: the same columns of
// the same posts, and the variables of the nth request.

const POST = `fragment P on Post {
  id slug publishedAt modifiedAt status url kind isSticky format title content excerpt
  author { id name } terms { id name taxonomy }
}`;
const ITEM = `fragment P on ContentItem {
  id: nodeId slug publishedAt modifiedAt status kind isSticky: sticky format
  title: titleRendered content: contentRendered excerpt: excerptRendered
  author: accountByAuthorId { id: nodeId name }
  contentTermsByItemId { nodes { termByTermId { id: nodeId name taxonomy } } }
}`;

/** Requests of a run at 1 and at 8 connections; `peer` is the document for PostGraphile. */
export const SCENARIOS = {
  list: {
    requests: { 1: 400, 8: 800 },
    ours: `query List($first: Int!, $search: String) {
      posts(first: $first, filter: { search: $search }) { totalCount nodes { ...P } }
    } ${POST}`,
    peer: `query List($first: Int!) {
      posts: allContentItems(first: $first, orderBy: [PUBLISHED_AT_DESC, ID_DESC],
        condition: { kind: "post", status: "publish" }) { totalCount nodes { ...P } }
    } ${ITEM}`,
    variables: () => ({ first: 10 }),
  },
  one: {
    requests: { 1: 1_000, 8: 2_000 },
    ours: `query One($id: ID!) { post(id: $id) { ...P } } ${POST}`,
    peer: `query One($id: Int!) { post: contentItemById(id: $id) { ...P } } ${ITEM}`,
    variables: (n) => ({ id: 1 + (n % 200) }),
  },
  // No rows: what the way of a request costs besides its document.
  nothing: {
    requests: { 1: 2_000, 8: 4_000 },
    ours: '{ __typename }',
    peer: '{ __typename }',
    variables: () => ({}),
  },
};

/** The content of an answer, in one form for both. */
export function contentOf(answer) {
  const { data } = JSON.parse(answer);
  const posts = data.posts?.nodes ?? (data.post ? [data.post] : []);
  return JSON.stringify([data.posts?.totalCount, posts.map(postOf)]);
}

function postOf({ slug, publishedAt, title, content, excerpt, author, ...post }) {
  const { format, isSticky, contentTermsByItemId } = post;
  const terms = post.terms ?? contentTermsByItemId.nodes.map(({ termByTermId }) => termByTermId);
  const names = terms.map(({ name }) => name).sort();
  const plain = format.toLowerCase();
  const published = new Date(publishedAt).toISOString();
  return [slug, published, title, content, excerpt, author.name, plain, isSticky, names];
}
