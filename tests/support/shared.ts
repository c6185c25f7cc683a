import { after, type TestContext } from 'node:test';
import type { ConfigInput } from '../../src/config.ts';
import { type AppSettings, appOfTenant, type TestApp, testApp } from './app.ts';

/** Stands in for a test's context where something lives as long as the test file that calls this while it is loaded. */
export function scopeOfThisFile(): TestContext {
  const cleanups: (() => unknown)[] = [];
  after(async () => {
    for (const cleanup of cleanups.reverse()) await cleanup();
  });
  return { after: (cleanup: () => unknown) => cleanups.push(cleanup) } as unknown as TestContext;
}

const cleanups: (() => unknown)[] = [];

/** Runs after the last test of each file: at the end of the process, or where `runTogether` runs several files in one. */
export async function endFile(): Promise<void> {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
}
after(endFile);

/** One server for a whole test file: starting one costs more than most tests. Gone after the last test of the file. */
export function appOfThisFile(settings: AppSettings = {}): () => Promise<TestApp> {
  const scope = { after: (cleanup: () => unknown) => cleanups.push(cleanup) } as unknown as TestContext;
  let app: Promise<TestApp> | undefined;
  return () => {
    if (app === undefined) {
      cleanups.push(() => {
        app = undefined;
      });
      app = testApp(scope, settings);
    }
    return app;
  };
}

/** As `appOfThisFile`, but each call makes a tenant of its own, to which its key and its people belong. */
export function tenantsOfThisFile(settings: ConfigInput = {}): (t: TestContext) => Promise<TestApp> {
  const app = appOfThisFile(settings);
  return async (t) => {
    const shared = await app();
    tenants += 1;
    const { id } = await shared.runtime.tenants.create({ name: `tenant-${tenants}` });
    return appOfTenant(t, shared, id);
  };
}

let tenants = 0;
