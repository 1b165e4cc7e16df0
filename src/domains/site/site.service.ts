import { type Deps, RequestContext } from '../../context.js';
import { ANONYMOUS } from '../accounts/viewer.js';
import { Language } from './language.types.js';
import { SiteSettings } from './site.types.js';

const FRESH_FOR = 1000;

/** The settings of the site, for every request's context; read at most once a second by a process. */
export function siteReader({ database, clock }: Pick<Deps, 'database' | 'clock'>): () => Promise<SiteSettings> {
  let settings: Promise<SiteSettings> | undefined;
  let readAt = 0;
  const read = async () => {
    const row = await database.prisma.site.findUniqueOrThrow({ where: { id: 1 } });
    return Object.assign(new SiteSettings(), row);
  };
  return () => {
    if (settings && clock() - readAt < FRESH_FOR) return settings;
    readAt = clock();
    settings = read();
    settings.catch(() => {
      settings = undefined;
    });
    return settings;
  };
}

/** A context for what the service does by itself for whoever it concerns; `job` names it in the log. */
export async function serviceContext(deps: Deps, job: string): Promise<RequestContext> {
  return new RequestContext(deps, { viewer: ANONYMOUS, site: await siteReader(deps)(), siteUrl: '', requestId: job });
}

/** The languages that an account can choose, by id. */
export async function languages(context: RequestContext): Promise<Language[]> {
  const rows = await context.db.language.findMany({ orderBy: { id: 'asc' } });
  return rows.map((row) => Object.assign(new Language(), row));
}
