import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EVENTS } from '../support/app.ts';
import { newDataDirectory, startServer } from '../support/process.ts';
import type { Cleanups } from './cleanups.ts';

/** The server under test: the real program, started in a directory of its own. */
export interface Subject {
  url: string;
  /** The first start's key, which has full access. */
  key: string;
  /** The first start's administrator. */
  administrator: { email: string; password: string };
  /** Errors in the server's log since it was ready. */
  errors(): string[];
}

const SEED = [
  { eventName: 'ticket_opened', threadId: 't-1', properties: { plan: 'pro', channel: 'email' } },
  { eventName: 'ticket_resolved', threadId: 't-1', properties: { plan: 'pro', minutes: 12 } },
  { eventName: 'ticket_resolved', threadId: 't-2', properties: { plan: 'free', minutes: 45.5 } },
];

export async function startSubject(cleanups: Cleanups): Promise<Subject> {
  const dataDir = newDataDirectory(cleanups.testContext);
  const server = await startServer(cleanups.testContext, dataDir);
  const firstRun = readFileSync(join(dataDir, 'first-run.txt'), 'utf8');
  const named = (name: string) => new RegExp(`${name} +(\\S+)`).exec(firstRun)?.[1];
  const [key, email, password] = [named('Full access key'), named('Portal user'), named('Portal password')];
  if (!key || !email || !password) throw new Error('The first start left no key with full access, or no user.');
  const receipt = await server.ingest(key, SEED);
  const { status } = await server.request(key, 'GET', `${EVENTS}/feed`, undefined, { 'x-wait-for': receipt });
  if (status !== 200) throw new Error(`The events did not become visible: the feed answered ${status}.`);
  const before = server.output().stderr.length;
  return {
    url: server.url,
    key,
    administrator: { email, password },
    errors: () => server.output().stderr.slice(before).split('\n').filter(Boolean),
  };
}
