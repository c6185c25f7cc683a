import { after, type TestContext } from 'node:test';
import type { ConfigInput } from '../../src/config.ts';
import { type TestApp, testApp } from './app.ts';

/** Stands for a test's context where something is to be there for a whole file: it is gone after the last test. */
export function scopeOfThisFile(): TestContext {
  const cleanups: (() => unknown)[] = [];
  after(async () => {
    for (const cleanup of cleanups.reverse()) await cleanup();
  });
  return { after: (cleanup: () => unknown) => cleanups.push(cleanup) } as unknown as TestContext;
}

/** One server for a whole test file: starting one costs more than most tests. Gone after the last test. */
export function appOfThisFile(settings: ConfigInput = {}): () => Promise<TestApp> {
  let app: Promise<TestApp> | undefined;
  const wholeFile = scopeOfThisFile();
  return () => {
    app ??= testApp(wholeFile, settings);
    return app;
  };
}
