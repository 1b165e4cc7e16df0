import { graphql } from 'relay-runtime';

/** The first posts. */
export const query = graphql`
  query titlesQuery($count: Int!) {
    posts(first: $count) {
      totalCount
    }
  }
`;

/** Who is signed in. */
export const me = graphql`
  query titlesMeQuery {
    viewer {
      id
      username
    }
  }
`;
