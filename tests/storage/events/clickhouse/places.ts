import type { TestContext } from 'node:test';
import type { ClickhouseObserver } from '../../../../src/storage/events/clickhouse/observer.ts';
import { ClickhouseEventStore, type ClickhouseStoreOptions } from '../../../../src/storage/events/clickhouse/store.ts';
import { openPostgres } from '../../../../src/storage/state/postgres/database.ts';
import { type Clickhouse, startClickhouse, whyNoClickhouse } from '../../../support/clickhouse.ts';
import { type Postgres, startPostgres, whyNoPostgres } from '../../../support/postgres.ts';
import { databaseOf, newPlace, sharedClickhouse, sharedPostgres } from '../../../support/postgres-state.ts';

export const skip = whyNoPostgres() || whyNoClickhouse();

export interface Place {
  postgresUrl: string;
  clickhouseUrl: string;
}

type Changed = Partial<Omit<ClickhouseStoreOptions, 'pool' | 'clickhouseUrl'>>;

export async function openNode(
  { postgresUrl, clickhouseUrl }: Place,
  changed: Changed = {},
  observer: Partial<ClickhouseObserver> = {},
): Promise<ClickhouseEventStore> {
  const { pool, close } = await openPostgres({ url: postgresUrl, connections: 8 });
  try {
    const store = await ClickhouseEventStore.open(
      {
        pool,
        clickhouseUrl,
        dedupWindowMs: 86_400_000,
        queryTimeoutMs: 30_000,
        backlogLimit: 1e8,
        resultCacheBytes: 1e6,
        ...changed,
      },
      observer,
    );
    const closeStore = store.close.bind(store);
    let closing: Promise<void> | null = null;
    store.close = () => {
      closing ??= closeStore().then(close);
      return closing;
    };
    return store;
  } catch (error) {
    await close();
    throw error;
  }
}

export interface Engines {
  postgres: Postgres;
  clickhouse: Clickhouse;
  /** A new place without events. */
  place(): Promise<Place>;
}

/** Both engines for all tests of the process, started with the first use. */
export function useEngines(): () => Promise<Engines> {
  return async () => {
    const [postgres, clickhouse] = await Promise.all([sharedPostgres(), sharedClickhouse()]);
    return { postgres, clickhouse, place: () => placeIn(clickhouse) };
  };
}

async function placeIn(clickhouse: Clickhouse): Promise<Place> {
  const [postgresUrl, clickhouseUrl] = await Promise.all([databaseOf(newPlace()), clickhouse.database()]);
  return { postgresUrl, clickhouseUrl };
}

export async function startEngines(scope: Pick<TestContext, 'after'>): Promise<Engines> {
  const [postgres, clickhouse] = await Promise.all([startPostgres(scope), startClickhouse(scope)]);
  const place = async () => {
    const [postgresUrl, clickhouseUrl] = await Promise.all([postgres.database(), clickhouse.database()]);
    return { postgresUrl, clickhouseUrl };
  };
  return { postgres, clickhouse, place };
}
