import { graphql } from 'relay-runtime';

/** The first screen of a member: today's doses and appointments, and the week's adherence. */
export const query = graphql`
  query careHomeScreenQuery($memberId: ID) {
    memberHome(memberId: $memberId) {
      ...careHomeScreen_card
      nextAppointment {
        ...careHomeScreen_event
      }
    }
  }
`;

/** The card of one member, also in the overview of a carer. */
export const card = graphql`
  fragment careHomeScreen_card on MemberHome {
    member {
      id
      name
    }
    timeZone
    version
    notificationsVersion
    unreadNotifications
    today {
      id
      ...careHomeScreen_event
    }
    week {
      ...careHomeScreen_week
    }
  }
`;

/** The bars of the week. */
export const week = graphql`
  fragment careHomeScreen_week on Adherence {
    rate
    taken
    skipped
    missed
    days {
      date
      rate
      taken
      skipped
      missed
    }
  }
`;

/** A dose or an appointment; refetched alone by its global id. */
export const event = graphql`
  fragment careHomeScreen_event on CalendarEvent @refetchable(queryName: "careHomeScreenEventQuery") {
    __typename
    id
    title
    startsAt
    status
    reminder {
      id
      version
    }
    ... on DoseEvent {
      answeredAt
      snoozedUntil
      missedAt
      note
    }
    ... on AppointmentEvent {
      description
    }
  }
`;
