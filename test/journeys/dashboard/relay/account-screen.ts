import { graphql } from 'relay-runtime';

/** The account: who is signed in, their sessions and devices, and who looked at their data. */
export const query = graphql`
  query accountScreenQuery {
    viewer {
      id
      username
      email
      roles
      guest
      timeZone
      version
      account {
        id
        databaseId
        name
      }
      ...accountScreen_sessions
      ...accountScreen_devices
      ...accountScreen_audit
    }
  }
`;

/** The sessions, newest first. */
export const sessions = graphql`
  fragment accountScreen_sessions on Viewer
  @argumentDefinitions(count: { type: "Int", defaultValue: 50 }, cursor: { type: "String" })
  @refetchable(queryName: "accountScreenSessionsPaginationQuery") {
    sessions(first: $count, after: $cursor) @connection(key: "accountScreen_sessions") {
      edges {
        node {
          id
          device
          current
          createdAt
          lastUsedAt
        }
      }
    }
  }
`;

/** The devices that take pushes. */
export const devices = graphql`
  fragment accountScreen_devices on Viewer {
    devices(first: 20) @connection(key: "accountScreen_devices") {
      edges {
        node {
          id
          kind
          platform
          lastSeenAt
        }
      }
    }
  }
`;

/** The audit, in pages. */
export const audit = graphql`
  fragment accountScreen_audit on Viewer
  @argumentDefinitions(count: { type: "Int", defaultValue: 20 }, cursor: { type: "String" })
  @refetchable(queryName: "accountScreenAuditPaginationQuery") {
    auditEvents(first: $count, after: $cursor) @connection(key: "accountScreen_auditEvents") {
      totalCount
      edges {
        node {
          id
          at
          action
          actor {
            id
            name
          }
        }
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
