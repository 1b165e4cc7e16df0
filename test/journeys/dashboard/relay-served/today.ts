import { graphql } from 'relay-runtime';

/** What is to be taken today. */
export const query = graphql`
  query todayQuery {
    memberHome {
      version
      today {
        id
        title
        status
        ... on DoseEvent {
          answeredAt
        }
      }
    }
  }
`;

/** Logs a dose as taken; the store finds the event by its id. */
export const take = graphql`
  mutation todayTakeMutation($input: TakeDoseInput!) @raw_response_type {
    takeDose(input: $input) {
      event {
        id
        status
        answeredAt
      }
    }
  }
`;

/** Word of what others change. */
export const changes = graphql`
  subscription todayChangesSubscription($since: Int) {
    changes(feed: CALENDAR, since: $since) {
      memberId
      version
    }
  }
`;
