import type { TestContext } from 'node:test';
import type { ConfigInput } from '../../src/config.ts';
import { openPostgres, type PostgresDatabase } from '../../src/storage/state/postgres/database.ts';
import { atEnd } from './at-end.ts';
import { type Clickhouse, startClickhouse, whyNoClickhouse } from './clickhouse.ts';
import { type Postgres, startPostgres, whyNoPostgres } from './postgres.ts';
import { type S3, startS3 } from './s3.ts';

/** False where PostgreSQL cannot run: then only the other backends are tested. */
export const hasPostgres = whyNoPostgres() === false;

/** False where nodes cannot share everything. */
export const hasNodes = hasPostgres && whyNoClickhouse() === false;

let shared: Promise<Postgres> | undefined;
let template: Promise<string> | undefined;

const SCOPE = { after: (end: unknown) => atEnd(end as () => unknown) } as unknown as Pick<TestContext, 'after'>;

/** One server for all tests of the process. */
export function sharedPostgres(): Promise<Postgres> {
  shared ??= startPostgres(SCOPE);
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

const SECRET_KEY = 'a secret key that the tests have in common';

/** Settings of a node of the place. */
export async function serverSettings(place: string): Promise<ConfigInput> {
  const databaseUrl = await databaseOf(place);
  const [clickhouseUrl, bucket] = await Promise.all([clickhouseOf(place), sharedBucket()]);
  return {
    databaseUrl,
    clickhouseUrl,
    uploadsUrl: bucket.url('uploads'),
    secretKey: SECRET_KEY,
  };
}

let clickhouse: Promise<Clickhouse> | undefined;
let bucket: Promise<S3> | undefined;
const ofPlaces = new Map<string, Promise<string>>();

/** One for all tests of the process, as PostgreSQL. */
export function sharedClickhouse(): Promise<Clickhouse> {
  clickhouse ??= startClickhouse(SCOPE);
  return clickhouse;
}

/** One for all tests of the process, as PostgreSQL. */
export function sharedBucket(): Promise<S3> {
  bucket ??= startS3(SCOPE);
  return bucket;
}

/** The URL of the place's own database of events. */
export function clickhouseOf(place: string): Promise<string> {
  const url = ofPlaces.get(place) ?? sharedClickhouse().then((server) => server.database());
  ofPlaces.set(place, url);
  return url;
}
