import { join } from 'node:path';
import type { TestContext } from 'node:test';
import BetterSqlite3 from 'better-sqlite3';
import { openState, type State } from '../../src/app/state.ts';
import { loadConfig } from '../../src/config.ts';
import type { ProviderService } from '../../src/core/agents/providers/service.ts';
import { realEffects } from '../../src/core/base/shared/effects.ts';
import { temporaryDirectory } from './app.ts';
import { callerOf } from './users.ts';

/** A definition that is right, with what a test is about. */
export function definition(members: Record<string, unknown> = {}): Record<string, unknown> {
  return { name: 'local', provider: 'custom', baseUrl: 'https://models.example.com/v1', ...members };
}

/** What refuses an input, message by message. */
export async function messagesOf(work: () => unknown): Promise<string[]> {
  try {
    await work();
  } catch (error) {
    const { messages } = error as { messages?: string[] };
    if (messages) return messages;
    throw error;
  }
  throw new Error('It was not refused.');
}

/** The lines of the audit log that are about providers, oldest first. */
export async function auditedProviders({ audit }: Pick<State, 'audit'>, tenantId: string) {
  const administrator = callerOf({ id: 'test', tenantId, email: 'test@example.com', role: 'ADMIN' });
  const { items } = await audit.entries(administrator, { limit: 500, offset: 0 });
  return items
    .filter(({ action }) => action.startsWith('provider.'))
    .map(({ action, target, details }) => ({ action, target, details }))
    .reverse();
}

export interface OpenedProviders {
  /** State of the same directory, as another process would open it. */
  beside(environment?: Record<string, string>): Promise<OpenedProviders>;
  state: State;
  providers: ProviderService;
  tenantId: string;
  dataDir: string;
  /** Milliseconds go by. */
  pass(ms: number): void;
}

/** The providers of a data directory, with a clock and an environment of their own. */
export async function openProviders(
  t: TestContext,
  environment: Record<string, string> = {},
  dataDir = temporaryDirectory(t),
): Promise<OpenedProviders> {
  let now = 1_800_000_000_000;
  const config = loadConfig({ dataDir, logLevel: 'silent' }, {}, environment);
  const state = await openState(config, { ...realEffects, now: () => now });
  t.after(() => state.close());
  return {
    beside: (other = environment) => openProviders(t, other, dataDir),
    state,
    providers: state.providers,
    tenantId: (await state.tenants.get('default')).id,
    dataDir,
    pass: (ms) => {
      now += ms;
    },
  };
}

/** The definitions as they lie in the file, by name. */
export function rowsOf(t: TestContext, dataDir: string) {
  const database = new BetterSqlite3(join(dataDir, 'state.sqlite'));
  t.after(() => database.close());
  const definitions = () =>
    database.prepare('SELECT definition FROM providers ORDER BY name').pluck().all() as string[];
  const rewrite = (name: string, text: string) =>
    database.prepare('UPDATE providers SET definition = ? WHERE name = ?').run(text, name);
  const moveTo = (tenantId: string, name: string) =>
    database.prepare('UPDATE providers SET tenant_id = ? WHERE name = ?').run(tenantId, name);
  return { definitions, rewrite, moveTo };
}
