import { graphql } from 'relay-runtime';

/** The account: who is signed in, their sessions and devices, and who looked at their data. */
export const query = graphql`
  query accountQuery {
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
      ...account_sessions
      ...account_devices
      ...account_audit
    }
  }
`;

/** The sessions, newest first. */
export const sessions = graphql`
  fragment account_sessions on Viewer
  @argumentDefinitions(count: { type: "Int", defaultValue: 50 }, cursor: { type: "String" })
  @refetchable(queryName: "accountSessionsPaginationQuery") {
    sessions(first: $count, after: $cursor) @connection(key: "account_sessions") {
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
  fragment account_devices on Viewer {
    devices(first: 20) @connection(key: "account_devices") {
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
  fragment account_audit on Viewer
  @argumentDefinitions(count: { type: "Int", defaultValue: 20 }, cursor: { type: "String" })
  @refetchable(queryName: "accountAuditPaginationQuery") {
    auditEvents(first: $count, after: $cursor) @connection(key: "account_auditEvents") {
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
  mutation accountEndSessionMutation($input: EndSessionInput!, $connections: [ID!]!) {
    endSession(input: $input) {
      session {
        id @deleteEdge(connections: $connections)
      }
    }
  }
`;

/** Removes a device, also from the store. */
export const removeDevice = graphql`
  mutation accountRemoveDeviceMutation($input: RemoveDeviceInput!) {
    removeDevice(input: $input) {
      deletedDeviceId @deleteRecord
    }
  }
`;
