import { after, type TestContext } from 'node:test';
import type { ConfigInput } from '../../src/config.ts';
import { openPostgres, type PostgresDatabase } from '../../src/storage/postgres/database.ts';
import { type Postgres, startPostgres, whyNoPostgres } from './postgres.ts';

/** False where PostgreSQL cannot run: then only the other backends are tested. */
export const hasPostgres = whyNoPostgres() === false;

const ends: (() => unknown)[] = [];
let shared: Promise<Postgres> | undefined;
let template: Promise<string> | undefined;

after(async () => {
  for (const end of ends) await end();
});

/** One server for all tests of the process. */
export function sharedPostgres(): Promise<Postgres> {
  shared ??= startPostgres({ after: (end) => ends.push(end as () => unknown) } as Pick<TestContext, 'after'>);
  return shared;
}

const databases = new Map<string, Promise<string>>();

/** A place for `databaseOf`. */
export function newPlace(): string {
  return crypto.randomUUID();
}

let proxied = async (url: string) => url;

/** From now on the databases of new places are reached by what this returns. */
export function throughProxy(proxy: typeof proxied): void {
  proxied = proxy;
}

/** The URL of the place's own database, with all tables. */
export function databaseOf(place: string): Promise<string> {
  const url = databases.get(place) ?? migratedDatabase().then((made) => proxied(made));
  databases.set(place, url);
  return url;
}

async function migratedDatabase(): Promise<string> {
  const server = await sharedPostgres();
  template ??= migrated(server);
  return server.database(await template);
}

async function migrated(server: Postgres): Promise<string> {
  const url = await server.database();
  await (await openPostgres({ url, connections: 1 })).close();
  return /\/([^/?]+)\?/.exec(url)![1]!;
}

export function openTestPostgres(url: string, connections = 8): Promise<PostgresDatabase> {
  return openPostgres({ url, connections });
}

/** Settings of a server whose state is in the database of its data directory. */
export async function serverSettings(backend: string, dataDir: string): Promise<ConfigInput> {
  if (backend !== 'postgres') throw new Error(`TEST_BACKEND can be postgres, not ${backend}`);
  return { databaseUrl: await databaseOf(dataDir), secretKey: 'a secret key that the tests have in common' };
}
