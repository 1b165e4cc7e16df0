import { graphql } from 'relay-runtime';

/** The first screen of a member: today's doses and appointments, and the week's adherence. */
export const query = graphql`
  query careHomeQuery($memberId: ID) {
    memberHome(memberId: $memberId) {
      ...careHome_card
      nextAppointment {
        ...careHome_event
      }
    }
  }
`;

/** The card of one member, also in the overview of a carer. */
export const card = graphql`
  fragment careHome_card on MemberHome {
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
      ...careHome_event
    }
    week {
      ...careHome_week
    }
  }
`;

/** The bars of the week. */
export const week = graphql`
  fragment careHome_week on Adherence {
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
  fragment careHome_event on CalendarEvent @refetchable(queryName: "careHomeEventQuery") {
    __typename
    id
    title
    startsAt
    status
    ... on DoseEvent {
      answeredAt
      snoozedUntil
      missedAt
      note
    }
    ... on AppointmentEvent {
      place
    }
  }
`;
