import { after, type TestContext } from 'node:test';
import type { ConfigInput } from '../../src/config.ts';
import { type TestApp, testApp } from './app.ts';

/** One server for a whole test file: starting one costs more than most tests. Gone after the last test. */
export function appOfThisFile(settings: ConfigInput = {}): () => Promise<TestApp> {
  let app: Promise<TestApp> | undefined;
  const cleanups: (() => unknown)[] = [];
  after(async () => {
    for (const cleanup of cleanups.reverse()) await cleanup();
  });
  const wholeFile = { after: (cleanup: () => unknown) => cleanups.push(cleanup) };
  return () => {
    app ??= testApp(wholeFile as unknown as TestContext, settings);
    return app;
  };
}
