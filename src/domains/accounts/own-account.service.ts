import type { RequestContext } from '../../core/context.js';
import { Viewer } from '../../core/viewer.js';
import { accountsById } from './account.service.js';
import { OwnAccount } from './own-account.types.js';

/** Returns what the viewer sees of itself; undefined for the anonymous. */
export async function ownAccount(context: RequestContext): Promise<OwnAccount | undefined> {
  const { id } = context.viewer;
  const account = id ? await context.loader(accountsById).load(id) : undefined;
  return account && new OwnAccount(account);
}

/** Returns the viewer's own account if it is among these ids. */
export async function ownAccountsById(
  context: RequestContext,
  ids: readonly number[],
): Promise<OwnAccount[]> {
  const own = ids.includes(context.viewer.id) ? await ownAccount(context) : undefined;
  return own ? [own] : [];
}

/**
 * Returns the context in which the fields of an own account are read: that of the request, or, when
 * this request is just signing in, one with the account as its viewer.
 */
export function asOwner(context: RequestContext, { id, roles }: OwnAccount): RequestContext {
  return context.viewer.id === id ? context : context.as(new Viewer(id, roles));
}
