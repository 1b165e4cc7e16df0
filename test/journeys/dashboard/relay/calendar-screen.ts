import { graphql } from 'relay-runtime';

/** The calendar: days with their events. */
export const query = graphql`
  query calendarScreenQuery($memberId: ID, $from: LocalDate, $to: LocalDate) {
    calendar(memberId: $memberId, from: $from, to: $to) {
      member {
        id
      }
      timeZone
      version
      days {
        date
        doses {
          rate
          taken
          skipped
          missed
        }
        events {
          id
          ...careHomeScreen_event
        }
      }
    }
  }
`;

/** Logs a dose as taken; the store finds the event by its id. */
export const take = graphql`
  mutation calendarScreenTakeMutation($input: TakeDoseInput!) @raw_response_type {
    takeDose(input: $input) {
      event {
        id
        status
        answeredAt
      }
      adherence {
        ...careHomeScreen_week
      }
    }
  }
`;

/** Logs a dose as left out on purpose. */
export const skip = graphql`
  mutation calendarScreenSkipMutation($input: SkipDoseInput!) {
    skipDose(input: $input) {
      event {
        ...careHomeScreen_event
      }
      adherence {
        ...careHomeScreen_week
      }
    }
  }
`;

/** Lets the reminder of a dose come again later. */
export const snooze = graphql`
  mutation calendarScreenSnoozeMutation($input: SnoozeDoseInput!) {
    snoozeDose(input: $input) {
      event {
        ...careHomeScreen_event
      }
    }
  }
`;

/** Word of what others change. */
export const changes = graphql`
  subscription calendarScreenChangesSubscription($memberId: ID, $since: Int) {
    changes(subjects: [{ feed: CALENDAR, memberId: $memberId, since: $since }]) {
      feed
      version
      ended
      member {
        id
      }
    }
  }
`;
