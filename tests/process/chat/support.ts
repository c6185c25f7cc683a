import { join } from 'node:path';
import type { TestContext } from 'node:test';
import BetterSqlite3 from 'better-sqlite3';
import { openState } from '../../../src/app/state.ts';
import { loadConfig } from '../../../src/config.ts';
import { STATE_FILE } from '../../../src/storage/installation/names.ts';
import { type ChatOptions, chat, EXECUTIONS, type Received } from '../../support/chat.ts';
import { chatEvents } from '../../support/chat-events.ts';
import { createKey, newDataDirectory, type ServeOptions, type Server, startServer } from '../../support/process.ts';
import { type FakeUpstream, fakeUpstream } from '../../support/upstream/server.ts';

export interface ChatDirectory {
  dataDir: string;
  key: string;
  upstream: FakeUpstream;
  /** A server of its own process on the directory; one at a time. */
  start(options?: ServeOptions): Promise<ChatServer>;
}

export interface ChatServer extends Server {
  /** A chat with the provider `local`, read to its end; rejects when not even a head comes. */
  chat(members?: object, options?: ChatOptions): Promise<Received>;
  recorded(status: string): number;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into executions of every shape
  execution(id: unknown): Promise<any>;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into events of every shape
  events(outcome: 'completed' | 'failed', count: number): Promise<any[]>;
}

/** A data directory whose provider `local` is a fake upstream, which outlives the servers on the directory. */
export async function chatDirectory(t: TestContext, definition: object = {}): Promise<ChatDirectory> {
  const dataDir = newDataDirectory(t);
  const upstream = await fakeUpstream(t);
  const { key, tenantId } = await createKey(dataDir);
  await applyProviders(dataDir, tenantId, {
    ...{ name: 'local', provider: 'custom', baseUrl: upstream.baseUrl('custom'), allowPrivateNetwork: true },
    ...definition,
  });
  const start: ChatDirectory['start'] = async (options) => {
    const server = await startServer(t, dataDir, options);
    const request = (method: string, path: string, body?: unknown) => server.request(key, method, path, body);
    return {
      ...server,
      chat: (members, chatOptions) => chat({ url: server.url, key }, askLocal(members), chatOptions),
      recorded: (status) => recorded(dataDir, status),
      execution: async (id) => (await request('GET', `${EXECUTIONS}/${id}`)).body,
      events: (outcome, count) => chatEvents({ request }, `runtime.chat_${outcome}`, count),
    };
  };
  return { dataDir, key, upstream, start };
}

function recorded(dataDir: string, status: string): number {
  const database = new BetterSqlite3(join(dataDir, STATE_FILE), { readonly: true });
  try {
    return database.prepare('SELECT count(*) FROM executions WHERE status = ?').pluck().get(status) as number;
  } finally {
    database.close();
  }
}

/** Like `providers apply`, without the half second that a command takes to start. */
export async function applyProviders(dataDir: string, tenantId: string, input: unknown): Promise<void> {
  const state = await openState(loadConfig({ dataDir }, {}, {}));
  try {
    await state.providers.apply(tenantId, input);
  } finally {
    await state.close();
  }
}

function askLocal(members: object = {}): object {
  return {
    ...{ projectId: 'shop', provider: 'custom', providerName: 'local', model: 'llama3.2' },
    messages: [{ role: 'user', content: 'Say hello.' }],
    ...members,
  };
}
