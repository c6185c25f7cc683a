import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { STATE_FILE } from '../../src/storage/installation/names.ts';
import type { StateDatabase } from '../../src/storage/state/sql/database.ts';
import { SqlTenantStore } from '../../src/storage/state/sql/tenants.ts';
import { openStateDatabase } from '../../src/storage/state/sqlite/database.ts';
import { temporaryDirectory } from './app.ts';
import { databaseOf, hasPostgres, newPlace, openTestPostgres } from './postgres-state.ts';

/** `npm test` runs the contracts on files, `npm run test:nodes` on every engine. */
const onPostgres = hasPostgres && process.env.TEST_ENGINES !== 'files';

/** Adds the tenants `one` and `two`, which the contracts of stores expect. */
export async function addTenants(database: StateDatabase): Promise<void> {
  const tenants = new SqlTenantStore(database);
  for (const id of ['one', 'two']) {
    await tenants.create({
      id,
      name: id,
      timezone: 'UTC',
      createdAt: 0,
      retentionDays: null,
      executionRetentionDays: null,
      secondFactor: 'optional',
      passwordLogin: true,
      roleLimits: null,
    });
  }
}

export async function openStateWithTenants(directory: string): Promise<StateDatabase> {
  const path = join(directory, STATE_FILE);
  // Migrating takes longer than most tests.
  if (existsSync(path)) return openStateDatabase(path);
  template ??= withTenants();
  writeFileSync(path, await template);
  return openStateDatabase(path);
}

let template: Promise<Buffer> | undefined;

async function withTenants(): Promise<Buffer> {
  const directory = mkdtempSync(join(tmpdir(), 'agent-runtime-test-state-'));
  const path = join(directory, STATE_FILE);
  const database = await openStateDatabase(path);
  await addTenants(database);
  await database.destroy();
  const content = readFileSync(path);
  rmSync(directory, { recursive: true });
  return content;
}

/** The backends of the contract suites of state stores, each place with the tenants `one` and `two`. */
export function stateBackends<Stores extends object>(create: (database: StateDatabase) => Stores) {
  const sqlite = {
    name: 'SQLite',
    directory: temporaryDirectory,
    async open(directory: string) {
      const database = await openStateWithTenants(directory);
      return { ...create(database), close: () => database.destroy() };
    },
  };
  const postgres = {
    name: 'PostgreSQL',
    directory: newPlace,
    /** Two nodes take turns: what a suite does at once, it does at both. */
    async open(place: string) {
      const url = await databaseOf(place);
      const nodes = await Promise.all([openTestPostgres(url), openTestPostgres(url)]);
      await addTenants(nodes[0].state);
      return {
        ...takingTurns(create(nodes[0].state), create(nodes[1].state)),
        close: async () => {
          for (const { close } of nodes) await close();
        },
      };
    },
  };
  return onPostgres ? [sqlite, postgres] : [sqlite];
}

/** The same for contract suites that open a place once for each test. */
export function storeBackends<Store>(create: (database: StateDatabase) => Store) {
  return stateBackends((database) => ({ store: create(database) })).map(({ name, directory, open }) => ({
    name,
    open: async (t: TestContext) => {
      const { store, close } = await open(directory(t));
      t.after(close);
      return store;
    },
  }));
}

/** Places with the tenants `one` and `two`, each opened as often as a test wants processes. */
export function sharedStates() {
  const sqlite = {
    name: 'SQLite',
    place: async (t: TestContext) => {
      const directory = temporaryDirectory(t);
      await (await openStateWithTenants(directory)).destroy();
      return async (): Promise<StateDatabase> => {
        const database = await openStateDatabase(join(directory, STATE_FILE));
        t.after(() => database.destroy());
        return database;
      };
    },
  };
  const postgres = {
    name: 'PostgreSQL',
    place: async (t: TestContext) => {
      const url = await databaseOf(newPlace());
      const open = async (): Promise<StateDatabase> => {
        const { state, close } = await openTestPostgres(url);
        t.after(close);
        return state;
      };
      await addTenants(await open());
      return open;
    },
  };
  return onPostgres ? [sqlite, postgres] : [sqlite];
}

/** Stores whose calls go to one node and the other in turn. */
function takingTurns<Stores extends object>(one: Stores, other: Stores): Stores {
  const names = Object.keys(one) as (string & keyof Stores)[];
  return Object.fromEntries(names.map((name) => [name, alternating(one[name], other[name])])) as Stores;
}

function alternating<Store>(one: Store, other: Store): Store {
  let turn = 0;
  return new Proxy(one as object, {
    get: (_, method) => {
      turn += 1;
      const store = (turn % 2 === 0 ? one : other) as Record<PropertyKey, unknown>;
      const value = store[method];
      return typeof value === 'function' ? value.bind(store) : value;
    },
  }) as Store;
}
