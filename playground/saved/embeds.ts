import { dataOf } from '../sending.js';

/** A saved report in frames of other sites. Instants are in ISO 8601. */
export interface Embed {
  readonly id: string;
  readonly origins: readonly string[];
  readonly expiresAt: string;
  readonly revokedAt: string | null;
  readonly makerName: string;
  readonly report: { readonly id: string } | null;
}

interface EmbedPage {
  readonly nodes: readonly Embed[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** Returns the frames of a report, the newest first; those that ended for 30 days. */
export async function readEmbeds(reportId: string): Promise<readonly Embed[]> {
  const found: Embed[] = [];
  for (let after: string | null | undefined; after !== null; ) {
    const { embeds } = await dataOf({
      query: `query Frames($after: String) { embeds: reportEmbeds(after: $after) {
        nodes { id origins expiresAt revokedAt makerName report { id } }
        pageInfo { hasNextPage endCursor } } }`,
      variables: { after },
    });
    const { nodes, pageInfo } = embeds as EmbedPage;
    found.push(...nodes.filter(({ report }) => report?.id === reportId));
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  }
  return found;
}

/** What a frame is made of. */
export interface FrameOf {
  readonly reportId: string;
  readonly origins: readonly string[];
  /** Instant, in ISO 8601. */
  readonly expiresAt: string;
}

/** Makes an address at which frames show a report. Throws what the service says. */
export async function createEmbed(input: FrameOf): Promise<string> {
  const { made } = await dataOf({
    query: `mutation MakeFrame($input: CreateReportEmbedInput!) {
      made: createReportEmbed(input: $input) { url } }`,
    variables: { input },
  });
  return (made as { url: string }).url;
}

/** Ends an address. Throws what the service says. */
export async function revokeEmbed(id: string): Promise<void> {
  await dataOf({
    query: `mutation RevokeFrame($input: RevokeReportEmbedInput!) {
      revokeReportEmbed(input: $input) { reportEmbed { id } } }`,
    variables: { input: { id } },
  });
}
