import { graphql } from 'relay-runtime';

/** The account: who is signed in, their sessions and devices, and who looked at their data. */
export const query = graphql`
  query accountScreenQuery($events: Int) {
    viewer {
      ...accountScreen_profile
      ...accountScreen_sessions
      ...accountScreen_audit @arguments(count: $events)
    }
    devices {
      id
      ...accountScreen_device
    }
  }
`;

/** Who is signed in. */
export const profile = graphql`
  fragment accountScreen_profile on Viewer {
    id
    username
    name
    email
    roles
    isGuest
    timeZone
    account {
      id
      databaseId
      name
    }
  }
`;

/** The sessions, the last used first, in pages. */
export const sessions = graphql`
  fragment accountScreen_sessions on Viewer
  @argumentDefinitions(count: { type: "Int", defaultValue: 20 }, cursor: { type: "String" })
  @refetchable(queryName: "accountScreenSessionsPaginationQuery") {
    sessions(first: $count, after: $cursor) @connection(key: "accountScreen_sessions") {
      edges {
        node {
          id
          userAgent
          isCurrent
          createdAt
          lastUsedAt
        }
      }
    }
  }
`;

/** A device that takes pushes. */
export const device = graphql`
  fragment accountScreen_device on Device {
    kind
    platform
    lastSeenAt
  }
`;

/** The audit, in pages. */
export const audit = graphql`
  fragment accountScreen_audit on Viewer
  @argumentDefinitions(count: { type: "Int", defaultValue: 20 }, cursor: { type: "String" })
  @refetchable(queryName: "accountScreenAuditPaginationQuery") {
    auditEvents(first: $count, after: $cursor, own: true)
      @connection(key: "accountScreen_auditEvents") {
      totalCount
      edges {
        node {
          id
          at
          action
          detail
          actor {
            id
            name
          }
        }
      }
      pageInfo {
        endCursor
      }
    }
  }
`;

/** Ends a session, and takes it out of the list. */
export const endSession = graphql`
  mutation accountScreenEndSessionMutation($input: EndSessionInput!, $connections: [ID!]!) {
    endSession(input: $input) {
      session {
        id @deleteEdge(connections: $connections)
      }
    }
  }
`;

/** Removes a device, also from the store. */
export const removeDevice = graphql`
  mutation accountScreenRemoveDeviceMutation($input: RemoveDeviceInput!) {
    removeDevice(input: $input) {
      deletedDeviceId @deleteRecord
    }
  }
`;

/** Changes what the account says about itself. */
export const updateProfile = graphql`
  mutation accountScreenUpdateProfileMutation($input: UpdateProfileInput!) {
    updateProfile(input: $input) {
      viewer {
        ...accountScreen_profile
      }
    }
  }
`;
