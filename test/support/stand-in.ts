import type { Database } from '../../src/platform/database/database.js';

/** A database of which some parts are others. */
export const standIn = (database: Database, parts: Partial<Database>): Database =>
  new Proxy(database, {
    get(target, name) {
      if (name in parts) return parts[name as keyof Database];
      const value = Reflect.get(target, name) as unknown;
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
