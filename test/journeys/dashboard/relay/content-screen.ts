import { graphql } from 'relay-runtime';

/** Posts page by page in both directions. */
export const list = graphql`
  query contentScreenListQuery($first: Int, $after: String, $last: Int, $before: String) {
    ...contentScreen_posts @arguments(first: $first, after: $after, last: $last, before: $before)
  }
`;

/** The pages of posts: forward from \`after\`, backward from \`before\`. */
export const posts = graphql`
  fragment contentScreen_posts on Query
  @argumentDefinitions(
    first: { type: "Int" }
    after: { type: "String" }
    last: { type: "Int" }
    before: { type: "String" }
  )
  @refetchable(queryName: "contentScreenPostsPaginationQuery") {
    posts(first: $first, after: $after, last: $last, before: $before)
      @connection(key: "contentScreen_posts") {
      totalCount
      edges {
        node {
          id
          ...contentScreen_teaser
        }
      }
      pageInfo {
        hasNextPage
        hasPreviousPage
        startCursor
        endCursor
      }
    }
  }
`;

/** What a list shows of a post. */
export const teaser = graphql`
  fragment contentScreen_teaser on Post {
    databaseId
    title
    excerpt
    url
    publishedAt
    author {
      id
      name
    }
  }
`;

/** One post. */
export const one = graphql`
  query contentScreenPostQuery($id: ID!) {
    post(id: $id) {
      ...contentScreen_teaser
      content
      terms {
        id
        name
      }
    }
  }
`;

/** Search over every kind of content. */
export const search = graphql`
  query contentScreenSearchQuery($query: String!) {
    ...contentScreen_found @arguments(query: $query)
  }
`;

/** What was found, in pages. */
export const found = graphql`
  fragment contentScreen_found on Query
  @argumentDefinitions(
    query: { type: "String!" }
    count: { type: "Int", defaultValue: 10 }
    cursor: { type: "String" }
  )
  @refetchable(queryName: "contentScreenFoundPaginationQuery") {
    search(query: $query, first: $count, after: $cursor) @connection(key: "contentScreen_search") {
      totalCount
      edges {
        node {
          __typename
          id
          title
          url
          ... on Post {
            excerpt
          }
        }
      }
    }
  }
`;
