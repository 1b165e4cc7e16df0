import { makeFragmentData, unmask } from './generated/apollo/fragment-masking.js';
import {
  AdherenceBarsFragmentDoc,
  type CareHomeQuery,
  DoseAnswerFragmentDoc,
  type EventCardFragment,
  EventCardFragmentDoc,
  MemberHomeCardFragmentDoc,
  PageLinksFragmentDoc,
  type PostsQuery,
  PostTeaserFragmentDoc,
  TakeDoseDocument,
} from './generated/apollo/graphql.js';

/** What a card shows of a dose. */
type Dose = Extract<EventCardFragment, { __typename: 'DoseEvent' }>;

/** The home of a member, as the fragments of its cards show it. */
export const homeOf = ({ memberHome }: CareHomeQuery) =>
  unmask(MemberHomeCardFragmentDoc, memberHome);

/** The first event of today. */
export const eventOf = (data: CareHomeQuery): EventCardFragment | undefined =>
  unmask(EventCardFragmentDoc, homeOf(data)?.today)?.[0];

/** An event if it is a dose. */
export const doseOf = (card: EventCardFragment | null | undefined) =>
  card?.__typename === 'DoseEvent' ? card : undefined;

/** How many doses of the week are taken. */
export const takenOf = (data: CareHomeQuery) =>
  unmask(AdherenceBarsFragmentDoc, homeOf(data)?.week)?.taken;

/** What the list of posts shows. */
export const postsOf = ({ posts }: PostsQuery) => {
  if (!posts) throw new Error('There are no posts.');
  return {
    titles: posts.edges.map(({ node }) => unmask(PostTeaserFragmentDoc, node).title),
    links: unmask(PageLinksFragmentDoc, posts.pageInfo),
    totalCount: posts.totalCount,
  };
};

/** Takes a dose; the screen shows it at once, and the week when the service has answered. */
export const take = ({ id, snoozedUntil, missedAt, note }: Dose) => ({
  mutation: TakeDoseDocument,
  variables: { input: { occurrenceId: id } },
  optimisticResponse: {
    takeDose: {
      __typename: 'TakeDosePayload' as const,
      event: {
        __typename: 'DoseEvent' as const,
        ...makeFragmentData(
          { id, status: 'TAKEN', answeredAt: null, snoozedUntil, missedAt, note },
          DoseAnswerFragmentDoc,
        ),
      },
      memberHome: null,
    },
  },
});
