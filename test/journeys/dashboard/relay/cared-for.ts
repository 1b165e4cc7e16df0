import { graphql } from 'relay-runtime';

/** A carer's overview: the members in their care, each with the day and the week. */
export const query = graphql`
  query caredForQuery {
    viewer {
      ...caredFor_list
    }
  }
`;

/** The list, in pages. */
export const list = graphql`
  fragment caredFor_list on Viewer
  @argumentDefinitions(count: { type: "Int", defaultValue: 10 }, cursor: { type: "String" })
  @refetchable(queryName: "caredForPaginationQuery") {
    caredFor(first: $count, after: $cursor) @connection(key: "caredFor_caredFor") {
      totalCount
      edges {
        node {
          id
          ...caredFor_row
        }
      }
    }
  }
`;

/** One member. */
export const row = graphql`
  fragment caredFor_row on CaredFor {
    right
    through
    endsAt
    member {
      id
      databaseId
      name
    }
    home {
      ...careHome_card
    }
  }
`;
