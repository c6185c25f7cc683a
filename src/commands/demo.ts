import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { loadConfig } from '../config.ts';
import { DEFAULT_TENANT } from '../core/auth/bootstrap.ts';
import type { AggregateAnswer } from '../core/events/answers.ts';
import { sendRows } from '../importing/send.ts';
import { createLog } from '../log.ts';
import { closeServer } from '../ownership/ownership.ts';
import { PROGRAM } from '../program.ts';
import { clientConfiguration } from './greeting.ts';
import { listen, onStop, urlOf } from './listen.ts';

const SAMPLE = fileURLToPath(new URL('../../samples/express-history.ndjson', import.meta.url));

const QUESTION = {
  eventName: 'commit_pushed',
  aggregation: 'count',
  dateGrouping: 'year',
  timezone: 'America/Los_Angeles',
};

export function registerDemo(program: Command): void {
  program
    .command('demo')
    .description('try it: a throw-away server with real events, and a question asked through a real MCP client')
    .option('--port <port>', 'TCP port', '0')
    .option('--keep-serving', 'go on serving until Ctrl-C (default on a terminal)', process.stdout.isTTY === true)
    .action(demo);
}

async function demo(options: { port: string; keepServing: boolean }): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'agent-runtime-demo-'));
  process.on('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  // Nothing of the environment: it may speak of a real installation.
  const config = loadConfig({ dataDir, port: options.port, host: '127.0.0.1', logLevel: 'error' }, {}, {});
  const { openHousehold } = await import('../household.ts');
  const household = await openHousehold(config, createLog(config.logLevel));
  const server = await listen(household.listener, config);
  const stop = async () => {
    await closeServer(server, 1_000);
    await household.close();
  };
  onStop(stop);
  const url = urlOf(server, config);
  const { auth } = household.runtime;
  const tenant = await auth.tenant(DEFAULT_TENANT);
  const { key } = await auth.createKey(tenant.id, { label: 'demo', scopes: ['*'] }, null);

  say(`Importing real events: a part of the history of the repository expressjs/express ...`);
  const { readRows } = await import('../importing/read.ts');
  const rows = readRows(createReadStream(SAMPLE), { format: 'ndjson' });
  const { accepted } = await sendRows(rows, { url, apiKey: key, fetch }, 'demo', () => undefined);
  say(`${accepted} events are in.\n`);

  const answer = await ask(url, key);
  say(`Asked through an MCP client, over ${url}/mcp:\n\n  aggregate_events ${JSON.stringify(QUESTION)}\n`);
  for (const line of bars(answer)) say(`  ${line}`);
  say(
    `\n  ${answer.value} commits in all, from ${answer.basis.matchedEvents} events; the last at ${answer.basis.lastEventAt}.\n`,
  );

  if (!options.keepServing) return stop();
  say(clientConfiguration(key, { url, dataDir }));
  say('Serving until Ctrl-C. The data is thrown away then.');
}

async function ask(url: string, key: string): Promise<AggregateAnswer> {
  const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const client = new Client({ name: 'agent-runtime-demo', version: PROGRAM.version });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers: { 'x-api-key': key } } }),
  );
  const result = await client.callTool({ name: 'aggregate_events', arguments: QUESTION });
  await client.close();
  return result.structuredContent as unknown as AggregateAnswer;
}

function bars({ series = [] }: AggregateAnswer): string[] {
  const most = Math.max(1, ...series.map(({ value }) => value ?? 0));
  return series.map(({ bucket, value }) => {
    const length = Math.round(((value ?? 0) / most) * 50);
    return `${bucket.slice(0, 4)}  ${'█'.repeat(length)} ${value}`;
  });
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
