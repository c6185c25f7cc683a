import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { openServer } from '../../src/app/server.ts';
import { ingestFaq, sender } from '../../src/commands/demo/presentation.ts';
import { listen, urlOf } from '../../src/commands/server/listen.ts';
import { loadConfig, providerEnvironment } from '../../src/config.ts';
import { realEffects } from '../../src/core/base/shared/effects.ts';
import { PROGRAM } from '../../src/core/base/shared/program.ts';
import { fillDemoWorkspace } from '../../src/demo/workspace.ts';
import { createLog } from '../../src/logging/log.ts';
import { closeServer } from '../../src/ownership/close-server.ts';
import { type Chat, openChat } from './chat.ts';
import type { Facts } from './facts.ts';
import type { Held } from './score.ts';
import { SEGMENT } from './tasks/segments.ts';
import type { Pattern } from './tasks/task.ts';

const OBSERVABILITY = '/api/v1/runtime/observability';

export interface Workspace {
  client: Client;
  /** Asks the model as another tenant, so that its chats are not in the data. */
  chatWith(model: string): Promise<Chat>;
  held(): Promise<Held>;
  /** Definitions as `providers apply` takes them. */
  applyProviders(definitions: unknown): Promise<void>;
  close(): Promise<void>;
}

/**
 * The demo that the facts are of, on a free port of loopback and in a temporary directory, with a
 * client over HTTP. Its clock stands still: the same questions have the same answers.
 */
export async function openWorkspace({ size: { now, days }, executions }: Facts): Promise<Workspace> {
  const dataDir = mkdtempSync(join(tmpdir(), 'agent-runtime-eval-'));
  const config = loadConfig({ dataDir, port: 0, logLevel: 'error', rateLimit: 0 }, {}, providerEnvironment());
  const opened = await openServer(config, createLog(config.logLevel), { ...realEffects, now: () => now });
  const server = await listen(opened.listener, config);
  const [url, { runtime }] = [urlOf(server, config), opened];
  const close = async () => {
    await closeServer(server, 1_000, opened);
    await opened.close();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const tenant = await runtime.tenants.get('default');
    const tester = await runtime.tenants.create({ name: 'tester' });
    const newKey = async (id: string, agentId: string) =>
      (await runtime.keys.create(id, { agentId, label: 'eval', scopes: ['*'] }, null)).key;
    const [key, testerKey] = [await newKey(tenant.id, 'support'), await newKey(tester.id, 'tester')];
    const send = sender(url, key);
    const approve = (metric: string) => runtime.metricDefinitions.approveByOperator(tenant.id, metric);
    await fillDemoWorkspace(send, approve, now, days);
    await Promise.all([ingestFaq({ url, key }), send(`${OBSERVABILITY}/segments`, SEGMENT)]);
    await Promise.all(executions.map(({ body }) => send('/api/v1/runtime/v1/observability/executions', body)));
    const client = new Client({ name: 'agent-runtime-eval', version: PROGRAM.version });
    const requestInit = { headers: { 'x-api-key': key } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
    await runtime.eventStore.settle();
    return {
      client,
      chatWith: (model) => openChat({ url, key: testerKey, model }),
      held: async () => {
        await runtime.eventStore.settle();
        return heldBy(asker(url, key));
      },
      applyProviders: async (definitions) => void (await runtime.providers.apply(tester.id, definitions)),
      close: async () => {
        await client.close();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

type Answer = Record<string, Pattern[]>;
type Ask = (path: string, body?: unknown) => Promise<Answer>;

function asker(url: string, key: string): Ask {
  return async (path, body) => {
    const response = await fetch(`${url}${path}`, {
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as Answer;
  };
}

/** Cards with the name of their tab and what they show. */
async function heldBy(ask: Ask): Promise<Held> {
  const [{ tabs = [] }, { cards = [] }, { annotations = [] }, { metrics = [] }, { alerts = [] }, { rows: gaps = [] }] =
    await Promise.all([
      ask(`${OBSERVABILITY}/dashboard-tabs`),
      ask(`${OBSERVABILITY}/dashboard-cards`),
      ask(`${OBSERVABILITY}/annotations`),
      ask(`${OBSERVABILITY}/metrics`),
      ask(`${OBSERVABILITY}/alerts`),
      ask('/api/v1/runtime/v1/observability/events/query', GAPS),
    ]);
  const ids = cards.map(({ id }) => id);
  const rendered = ids.length === 0 ? [] : (await ask(`${OBSERVABILITY}/dashboard-cards/render`, { ids })).cards!;
  const shown = cards.map((card, index) => ({
    ...card,
    tab: tabs.find(({ id }) => id === card.tabId)?.name,
    data: rendered[index]?.data,
  }));
  return { tabs, cards: shown, gaps, annotations, metrics, alerts, removed: [] };
}

const GAPS = { eventName: 'runtime.gap_reported', agentId: '*', dateFrom: 'today', dateTo: 'today', limit: 1_000 };
