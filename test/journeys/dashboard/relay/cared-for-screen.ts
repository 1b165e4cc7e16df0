import { graphql } from 'relay-runtime';

/** A carer's overview: the members in their care, each with the day and the week. */
export const query = graphql`
  query caredForScreenQuery {
    ...caredForScreen_list
  }
`;

/** The list, in pages. */
export const list = graphql`
  fragment caredForScreen_list on Query
  @argumentDefinitions(count: { type: "Int", defaultValue: 10 }, cursor: { type: "String" })
  @refetchable(queryName: "caredForScreenPaginationQuery") {
    caredForMembers(first: $count, after: $cursor)
      @connection(key: "caredForScreen_caredForMembers") {
      totalCount
      edges {
        node {
          id
          ...caredForScreen_row
        }
      }
    }
  }
`;

/** One member. */
export const row = graphql`
  fragment caredForScreen_row on CaredForMember {
    right
    through
    endsAt
    member {
      id
      databaseId
      name
    }
    home {
      ...careHomeScreen_card
    }
  }
`;
