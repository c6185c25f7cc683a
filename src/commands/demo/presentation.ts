import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@modelcontextprotocol/client';
import { ADMIN_EMAIL, DEFAULT_TENANT } from '../../core/access/auth/bootstrap.ts';
import { newPassword } from '../../core/access/auth/secrets.ts';
import type { CreateUser } from '../../core/access/users/schema.ts';
import { formatNumber, formatRate } from '../../core/analytics/dashboards/format.ts';
import type { AggregateAnswer } from '../../core/analytics/events/questions/answer-schema.ts';
import type { Scope } from '../../core/base/shared/caller.ts';
import { PROGRAM } from '../../core/base/shared/program.ts';
import { alignedTable, bar } from '../../core/base/shared/text.ts';
import type { FoundKnowledge, ShownJob } from '../../core/knowledge/schema.ts';
import { DEMO_FAQ } from '../../demo/faq.ts';
import { type DemoWorkspace, fillDemoExecutions, fillDemoWorkspace, type Send } from '../../demo/workspace.ts';
import { adminLoginLink, clientConfiguration } from '../presentation/greeting.ts';
import { currentInvocation } from '../presentation/invocation.ts';
import type { Serving } from '../server/serving.ts';
import { fitted, showChat, terminalWidth, wrapped } from './chat.ts';

const VECTORS = '/api/v1/runtime/v1/vectors';
const STORE = 'help';
const QUESTION = { query: 'How long does a refund take?', limit: 1 };

/** Resolves once search finds it. */
export async function ingestFaq({ url, key }: { url: string; key: string }): Promise<void> {
  const form = new FormData();
  form.append('vectorStore', STORE);
  form.append('file', new Blob([DEMO_FAQ]), 'faq.md');
  const { jobId } = await ask<{ jobId: string }>(`${url}${VECTORS}/files/ingest`, key, { method: 'POST', body: form });
  for (;;) {
    const job = await ask<ShownJob>(`${url}${VECTORS}/ingestion-jobs/${jobId}`, key);
    if (job.status === 'completed') return;
    if (job.status === 'failed') throw new Error(`faq.md was not ingested: ${job.error}`);
    await sleep(20);
  }
}

export async function showPassage(client: Client, say: (line: string) => void): Promise<void> {
  const { structuredContent } = await client.callTool({ name: 'search_knowledge', arguments: QUESTION });
  const { results } = structuredContent as unknown as FoundKnowledge;
  say('"What do we tell customers about refunds?"\n');
  say(`  search_knowledge ${JSON.stringify(QUESTION)}\n`);
  for (const { text, source } of results) {
    say(`  ${text.replaceAll('\n', ' ')}`);
    say(`  Source: ${source.name}, ${source.heading}, line ${source.line}.`);
  }
}

async function ask<Answer>(url: string, key: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url, { ...init, headers: { 'x-api-key': key } });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Answer;
}

const AGENT = 'support';

const RESOLUTION_RATE = {
  metric: 'resolution_rate',
  dateFrom: '-7d',
  dateTo: 'yesterday',
  compareTo: 'previous_period',
};
const BY_TOPIC = { ...RESOLUTION_RATE, group_by: 'topic' };

const CARD_LINES = 6;

/** One day: people may open the link long after the demo started. */
const LINK_MS = 24 * 3_600_000;
const ADMIN: CreateUser = {
  email: ADMIN_EMAIL,
  name: 'Administrator',
  role: 'SUPER_ADMIN',
  phone: null,
  avatarUrl: null,
  metadata: {},
};

export async function presentDemo(
  { runtime, url }: Serving,
  { dataDir, keepServing }: { dataDir: string; keepServing: boolean },
): Promise<void> {
  const tenant = await runtime.tenants.get(DEFAULT_TENANT);
  const issue = async (label: string, scopes: ('*' | Scope)[]) =>
    (await runtime.keys.create(tenant.id, { agentId: AGENT, label, scopes }, null)).key;
  const fullKey = await issue('demo: full access', ['*']);
  const readKey = await issue('demo: MCP read', ['mcp:read', 'knowledge:read', 'executions:read']);

  say('A support desk run by an AI agent, the last 90 days, made up for this demo (always the same story) ...');
  const [workspace] = await Promise.all([
    fillDemoWorkspace(
      sender(url, fullKey),
      (metric) => runtime.metricDefinitions.approveByOperator(tenant.id, metric),
      Date.now(),
    ),
    ingestFaq({ url, key: fullKey }),
  ]);
  const cards = workspace.tabs.flatMap((tab) => tab.cardIds).length;
  say(
    `${formatNumber(workspace.events)} events, ${cards} dashboard cards, metrics and a page of help went in over REST.\n`,
  );
  await showAnswers(url, readKey, workspace);
  await showChat(runtime, { url, key: fullKey }, (text) => process.stdout.write(text));

  if (!keepServing) {
    say(`To connect a client of your own to it: ${currentInvocation().line('demo')} --keep-serving`);
    return;
  }
  const executions = await fillDemoExecutions(sender(url, fullKey), Date.now());
  say(`${formatNumber(executions)} executions of the last days wait to be read and reviewed.\n`);
  const { id } = await runtime.users.create(tenant.id, ADMIN, null);
  const password = newPassword();
  await runtime.users.setPassword(id, { password }, null);
  say('The dashboards, in a browser (this link logs in once, the password any number of times):\n');
  // Not wrapped: these are copied.
  process.stdout.write(`  ${await adminLoginLink(runtime, url, LINK_MS)}\n`);
  process.stdout.write(`  User ${ADMIN_EMAIL}, password ${password}\n\n`);
  say(`The server is at ${url} (MCP at ${url}/mcp, documentation at ${url}/docs).\n`);
  process.stdout.write(`  Full access key    ${fullKey}\n  MCP read-only key  ${readKey}\n\n`);
  process.stdout.write(`${clientConfiguration(readKey, { url, dataDir })}\n`);
  say('Then ask: "How did the resolution rate change against last week, and why?"\n');
  say('Serving until Ctrl-C. The data is thrown away then.');
}

export function sender(url: string, key: string): Send {
  return async (path, body) => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return response.json() as ReturnType<Send>;
  };
}

async function showAnswers(url: string, key: string, workspace: DemoWorkspace): Promise<void> {
  const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const client = new Client({ name: 'agent-runtime-demo', version: PROGRAM.version });
  const headers = { 'x-api-key': key };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }));
  const aggregate = async (question: object) => {
    const result = await client.callTool({
      name: 'aggregate_events',
      arguments: { ...question, waitFor: workspace.receipt },
    });
    return result.structuredContent as unknown as AggregateAnswer;
  };

  say('"How did the resolution rate change against last week?"\n');
  say(`  aggregate_events ${shownJson(RESOLUTION_RATE)}\n`);
  say(`  ${inWords(await aggregate(RESOLUTION_RATE))}\n`);
  say('"Which topics explain it?"\n');
  say(`  aggregate_events ${shownJson(BY_TOPIC)}\n`);
  for (const line of fitted(byGroup(await aggregate(BY_TOPIC)), terminalWidth() - 2)) say(`  ${line}`);
  say('');
  await showPassage(client, say);

  for (const { name, cardIds } of workspace.tabs) {
    say(`\nDashboard "${name}", each card by render_dashboard_card\n`);
    for (const cardId of cardIds) {
      const { content } = await client.callTool({ name: 'render_dashboard_card', arguments: { cardId } });
      const [part] = content;
      if (part?.type === 'text') for (const line of fitted(shortened(part.text), terminalWidth() - 2)) say(`  ${line}`);
      say('');
    }
  }
  await client.close();
}

function inWords({ value, numerator, denominator, previous, basis }: AggregateAnswer): string {
  return (
    `${formatRate(value)} of the conversations were resolved in the last 7 whole days (${formatNumber(numerator ?? 0)} of ${formatNumber(denominator ?? 0)}),\n` +
    `  against ${formatRate(previous?.value ?? null)} in the 7 days before: ${points(previous?.change)}.\n` +
    `  Basis: ${basis.from} to ${basis.to}, ${basis.timezone}; ${formatNumber(basis.matchedEvents)} events, the last at ${basis.lastEventAt}.`
  );
}

function points(change: number | null | undefined): string {
  if (change === null || change === undefined) return '–';
  return `${change > 0 ? '+' : ''}${formatNumber(change * 100, { decimals: 1 })} points`;
}

function byGroup({ groups = [] }: AggregateAnswer): string[] {
  const worstFirst = [...groups].sort((one, other) => (one.previous?.change ?? 0) - (other.previous?.change ?? 0));
  const rows = worstFirst.map(({ group, value, previous }) => [
    String(group),
    formatRate(value),
    formatRate(previous?.value ?? null),
    points(previous?.change),
    bar(value, 1, 30),
  ]);
  return alignedTable(['topic', 'resolved', 'before', 'change', ''], rows, ['left', 'right', 'right', 'right']);
}

function shortened(text: string): string[] {
  const [title = '', ...lines] = text.split('\n').filter((line) => !/^(Basis|Note): /.test(line));
  const shown = lines.slice(0, CARD_LINES).map((line) => `  ${line}`);
  return [title, ...shown, ...(lines.length > CARD_LINES ? [`  ... and ${lines.length - CARD_LINES} more`] : [])];
}

/** With blanks, where a line may break. */
function shownJson(value: object): string {
  return JSON.stringify(value, null, 1).replace(/\n */g, ' ');
}

function say(text: string): void {
  process.stdout.write(`${wrapped(text)}\n`);
}
