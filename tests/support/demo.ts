import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import BetterSqlite3 from 'better-sqlite3';
import type { ConfigInput } from '../../src/config.ts';
import { type Effects, realEffects } from '../../src/core/base/shared/effects.ts';
import { type DemoWorkspace, fillDemoWorkspace } from '../../src/demo/workspace.ts';
import { STATE_FILE } from '../../src/storage/installation/names.ts';
import { type TestApp, temporaryDirectory, testApp } from './app.ts';
import { whileOpen } from './backup.ts';

/** A Thursday afternoon; the story's outage lies in the week before. */
export const DEMO_NOW = Date.parse('2026-03-12T17:20:00.000Z');
const CLOCK: Effects = { ...realEffects, now: () => DEMO_NOW };

export interface DemoApp extends TestApp {
  workspace: DemoWorkspace;
  /** The id of the card with this title. */
  cardId(title: string): string;
}

/** Filled once for a test file: to copy a directory costs a tenth of filling it. */
let filled: Promise<{ dataDir: string; workspace: DemoWorkspace }> | undefined;

/** A server whose clock stands still, filled as `agent-runtime demo` fills it: the same questions have the same answers. */
export async function demoApp(t: TestContext, settings: ConfigInput = {}): Promise<DemoApp> {
  filled ??= fill();
  const { dataDir, workspace } = await filled;
  const copy = temporaryDirectory(t);
  cpSync(dataDir, copy, { recursive: true });
  // A bucket of the rate limit would never fill up again.
  const app = await testApp(t, { dataDir: copy, rateLimit: 0, ...settings }, CLOCK);
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

async function fill() {
  const dataDir = mkdtempSync(join(tmpdir(), 'agent-runtime-demo-'));
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  const workspace = await whileOpen(
    dataDir,
    ({ request }) =>
      fillDemoWorkspace(
        async (path, body) => {
          const answer = await request('POST', path, body);
          if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
          return answer.body;
        },
        // Beside an approved metric, answers about raw events would have remarks.
        async () => undefined,
        DEMO_NOW,
      ),
    CLOCK,
  );
  forgetKeys(dataDir);
  return { dataDir, workspace };
}

/** Each server makes its own key; the one that it was filled with belongs to no workspace. */
function forgetKeys(dataDir: string): void {
  const database = new BetterSqlite3(join(dataDir, STATE_FILE));
  database.exec('DELETE FROM api_keys; DROP TRIGGER audit_log_kept; DELETE FROM audit_log');
  database.close();
}
