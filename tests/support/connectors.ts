import { join } from 'node:path';
import type { TestContext } from 'node:test';
import BetterSqlite3 from 'better-sqlite3';
import type { State } from '../../src/app/state.ts';
import type { CredentialService } from '../../src/core/agents/connectors/credentials/service.ts';
import type { ConnectorService } from '../../src/core/agents/connectors/service.ts';
import type { Caller } from '../../src/core/base/shared/caller.ts';
import { temporaryDirectory } from './app.ts';
import { openProviders } from './providers.ts';
import { callerOf } from './users.ts';

/** Where a test's credentials may be sent: to its own servers, and to the connector below. */
export const HOSTS = ['127.0.0.1', 'pets.example.com'];

/** A definition that is right, with what a test is about. */
export function connector(members: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    slug: 'pets',
    name: 'Pet store',
    environments: { production: { baseUrl: 'https://pets.example.com/v1' } },
    resources: { list: { method: 'GET', path: '/pets' } },
    ...members,
  };
}

export interface OpenedConnectors {
  /** State of the same directory, as another process would open it. */
  beside(environment?: Record<string, string>): Promise<OpenedConnectors>;
  state: State;
  connectors: ConnectorService;
  credentials: CredentialService;
  tenantId: string;
  dataDir: string;
  /** Milliseconds go by. */
  pass(ms: number): void;
}

/** The connectors and credentials of a data directory, with a clock and an environment of their own. */
export async function openConnectors(
  t: TestContext,
  environment: Record<string, string> = {},
  dataDir = temporaryDirectory(t),
): Promise<OpenedConnectors> {
  const { state, tenantId, pass } = await openProviders(t, environment, dataDir);
  const { connectors, credentials } = state;
  const beside = (other = environment) => openConnectors(t, other, dataDir);
  return { beside, state, connectors, credentials, tenantId, dataDir, pass };
}

/** An administrator in the portal. */
export function administratorOf(tenantId: string): Caller {
  return callerOf({ id: 'ana', tenantId, email: 'ana@example.com', role: 'ADMIN' });
}

/** The lines of the audit log that are about connectors and their credentials, oldest first. */
export async function auditedConnectors({ audit }: Pick<State, 'audit'>, tenantId: string) {
  const { items } = await audit.entries(administratorOf(tenantId), { limit: 500, offset: 0 });
  return items
    .filter(({ action }) => /^(connector|credential)\./.test(action))
    .map(({ actor, action, target, details }) => ({ by: actor.label, action, target, details }))
    .reverse();
}

/** The state database itself, as somebody might change it who can write to the disk. */
export function tablesOf(t: TestContext, dataDir: string): BetterSqlite3.Database {
  const database = new BetterSqlite3(join(dataDir, 'state.sqlite'));
  t.after(() => database.close());
  return database;
}
