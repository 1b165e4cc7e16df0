import { graphql } from 'relay-runtime';

/** The calendar: days with their events. */
export const query = graphql`
  query calendarQuery($memberId: ID, $from: LocalDate, $to: LocalDate) {
    calendar(memberId: $memberId, from: $from, to: $to) {
      timeZone
      version
      days {
        date
        events {
          id
          ...careHome_event
        }
      }
    }
  }
`;

/** Logs a dose as taken; the store finds the event by its id. */
export const take = graphql`
  mutation calendarTakeMutation($input: TakeDoseInput!) @raw_response_type {
    takeDose(input: $input) {
      event {
        id
        status
        answeredAt
      }
      adherence {
        ...careHome_week
      }
    }
  }
`;

/** Logs a dose as left out on purpose. */
export const skip = graphql`
  mutation calendarSkipMutation($input: SkipDoseInput!) {
    skipDose(input: $input) {
      event {
        ...careHome_event
      }
      adherence {
        ...careHome_week
      }
    }
  }
`;

/** Lets the reminder of a dose come again later. */
export const snooze = graphql`
  mutation calendarSnoozeMutation($input: SnoozeDoseInput!) {
    snoozeDose(input: $input) {
      event {
        ...careHome_event
      }
    }
  }
`;

/** Word of what others change. */
export const changes = graphql`
  subscription calendarChangesSubscription($memberId: ID, $since: Int) {
    changes(feed: CALENDAR, memberId: $memberId, since: $since) {
      feed
      version
      member {
        id
      }
    }
  }
`;
