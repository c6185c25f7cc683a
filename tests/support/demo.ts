import type { TestContext } from 'node:test';
import { realEffects } from '../../src/core/effects.ts';
import { type DemoWorkspace, fillDemoWorkspace } from '../../src/demo/workspace.ts';
import { type TestApp, testApp } from './app.ts';

/** A Thursday afternoon; the story's outage lies in the week before. */
export const DEMO_NOW = Date.parse('2026-03-12T17:20:00.000Z');

export interface DemoApp extends TestApp {
  workspace: DemoWorkspace;
  /** The id of the card with this title. */
  cardId(title: string): string;
}

/** A server whose clock stands still, filled as `agent-runtime demo` fills it: the same questions have the same answers. */
export async function demoApp(t: TestContext): Promise<DemoApp> {
  // A bucket of the rate limit would never fill up again.
  const app = await testApp(t, { rateLimit: 0 }, { ...realEffects, now: () => DEMO_NOW });
  const workspace = await fillDemoWorkspace(async (path, body) => {
    const answer = await app.request('POST', path, body);
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }, DEMO_NOW);
  await app.runtime.eventStore.waitFor(workspace.receipt, 10_000);
  const cards = await app.runtime.dashboards.cards(app.caller, {});
  return {
    ...app,
    workspace,
    cardId: (title) => {
      const card = cards.find((one) => one.title === title);
      if (!card) throw new Error(`no card "${title}"`);
      return card.id;
    },
  };
}
