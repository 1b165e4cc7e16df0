import { graphql } from 'relay-runtime';

/** What the screens of care show, on a day of the tests. */
export const screens = graphql`
  fragment careCache_screens on Query {
    memberHome {
      id
      version
      today {
        id
        status
        title
      }
      week {
        id
        taken
        rate
      }
      nextAppointment {
        id
        startsAt
      }
    }
    calendar(from: "2026-03-09", to: "2026-03-12") {
      id
      version
      days {
        id
        date
        doses {
          taken
          skipped
        }
        events {
          id
          status
          title
        }
      }
    }
    medicineReminders(first: 10) {
      totalCount
      nodes {
        id
        name
        version
        status
        times
      }
    }
    careSettings {
      id
      dayTimes {
        waking
        breakfast
      }
      usualTimes {
        count
        times
      }
    }
  }
`;

export const query = graphql`
  query careCacheQuery {
    ...careCache_screens @relay(mask: false)
  }
`;

export const create = graphql`
  mutation careCacheCreateMutation($input: CreateMedicineReminderInput!) {
    createMedicineReminder(input: $input) {
      query {
        ...careCache_screens
      }
    }
  }
`;

export const take = graphql`
  mutation careCacheTakeMutation($input: TakeDoseInput!) {
    takeDose(input: $input) {
      query {
        ...careCache_screens
      }
    }
  }
`;

export const settings = graphql`
  mutation careCacheSettingsMutation($input: UpdateCareSettingsInput!) {
    updateCareSettings(input: $input) {
      query {
        ...careCache_screens
      }
    }
  }
`;

export const remove = graphql`
  mutation careCacheDeleteMutation($input: DeleteMedicineReminderInput!) {
    deleteMedicineReminder(input: $input) {
      query {
        ...careCache_screens
      }
    }
  }
`;
