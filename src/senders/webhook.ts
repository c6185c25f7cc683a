import { createHmac } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { errors } from 'undici';
import { retryAfterOf } from '../core/agents/connectors/call/faults.ts';
import { shownHost } from '../core/agents/connectors/call/transport.ts';
import { oneLine } from '../core/base/shared/text.ts';
import { formatUtc } from '../core/base/time/time.ts';
import type { Message, SendContext, SendOutcome } from '../core/watch/deliveries/message.ts';
import type { Target } from '../core/watch/deliveries/targets.ts';
import { dispatchers } from '../outbound/dispatchers.ts';
import { BlockedAddress } from '../outbound/guard.ts';
import { firstBytes, openRequest, type UpstreamResponse } from '../outbound/request.ts';

type WebhookTarget = Extract<Target, { type: 'webhook' }>;

/**
 * Signed by the Standard Webhooks specification. The body is the same in each attempt, the
 * signature covers its time.
 */
export function sendWebhook(
  { url, secret }: WebhookTarget,
  { type, title, text, data }: Message,
  context: PostContext,
): Promise<SendOutcome> {
  const { id, createdAt, timestamp } = context;
  const body = JSON.stringify({ type, timestamp: formatUtc(createdAt), title, text, data });
  const seconds = String(Math.floor(timestamp / 1_000));
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
  const headers = ['webhook-id', id, 'webhook-timestamp', seconds, 'webhook-signature', signature];
  return post(url, { headers, body }, context);
}

/**
 * Only the status counts. A short body is read, so that the connection can be used again; a longer
 * one ends it.
 */
const BODY = { maxBytes: 4 * 1024, maxMs: 1_000 };

export interface PostContext extends SendContext {
  networks: readonly string[];
  connections?: Pick<typeof dispatchers, 'callDispatcherFor'>;
}

/** Posts JSON through the SSRF guard. `headers`: names and values alternate. */
export async function post(
  address: string,
  { headers, body }: { headers: string[]; body: string },
  { tenantId, networks, timestamp, signal, connections = dispatchers }: PostContext,
): Promise<SendOutcome> {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    return { kind: 'dead', error: 'The URL of the target is not valid.' };
  }
  const all = ['content-type', 'application/json', 'user-agent', 'agent-runtime', 'accept-encoding', 'identity'];
  try {
    const policy = { tenantId, allowPrivateNetworks: networks };
    const answer = await openRequest(connections.callDispatcherFor(policy), {
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'POST',
      headers: [...all, ...headers],
      body,
      signal,
    });
    void firstBytes(answer.body, undefined, BODY);
    return outcomeOfStatus(answer, shownHost(url), timestamp);
  } catch (error) {
    signal.throwIfAborted();
    return outcomeOfFault(error, shownHost(url), networks);
  }
}

function outcomeOfStatus({ status, headers }: UpstreamResponse, host: string, now: number): SendOutcome {
  if (status >= 200 && status < 300) return { kind: 'sent' };
  const error = `${host} answered with ${status} ${STATUS_CODES[status] ?? ''}`.trim();
  if (status === 410) return { kind: 'dead', error: `${error}.` };
  if (status >= 300 && status < 400) return { kind: 'retry', error: `${error}; redirects are not followed.` };
  const retryAfterMs = status === 429 || status === 503 ? retryAfterOf(headers, now) : null;
  return { kind: 'retry', error: `${error}.`, retryAfterMs };
}

/**
 * Shows codes alone: messages name internal addresses. A name that is not found may be a DNS that
 * fails.
 */
function outcomeOfFault(error: unknown, host: string, networks: readonly string[]): SendOutcome {
  if (error instanceof BlockedAddress) return { kind: 'dead', error: `${host} is ${blockedWords(networks)}.` };
  if (error instanceof errors.HTTPParserError) return { kind: 'retry', error: `${host} answered what is no HTTP.` };
  const { code } = error as { code?: unknown };
  const shown = typeof code === 'string' && /^[A-Z][A-Z_0-9]+$/.test(code) ? ` (${code})` : '';
  return { kind: 'retry', error: `${host} could not be reached, or broke the connection off${shown}.` };
}

function blockedWords(networks: readonly string[]): string {
  return networks.length > 0
    ? 'neither at a public address nor in a network that the operator allows (AGENT_RUNTIME_ALERT_NETWORKS)'
    : 'not at a public address; only the operator may allow others (AGENT_RUNTIME_ALERT_NETWORKS)';
}

type SlackTarget = Extract<Target, { type: 'slack' }>;

/** Characters; Discord refuses more. */
const MAX_TEXT = 2_000;
const MORE = '\n…';

/**
 * The body for Slack, Mattermost, Rocket.Chat and Discord (`/slack`): all understand only `text`.
 */
export function sendSlack({ url }: SlackTarget, message: Message, context: PostContext): Promise<SendOutcome> {
  return post(url, { headers: [], body: JSON.stringify({ text: slackText(message) }) }, context);
}

export function slackText({ title, text }: Pick<Message, 'title' | 'text'>): string {
  const all = escaped(`*${oneLine(title).replaceAll('*', '∗')}*\n${text}`.trim().toWellFormed());
  if (all.length <= MAX_TEXT) return all;
  const cut = all.slice(0, MAX_TEXT - MORE.length);
  // Not within an escape.
  return cut.replace(/&[a-z]*$/, '').toWellFormed() + MORE;
}

/** Values of events may be in it: they mention nobody and link nowhere. */
function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/@(?=everyone|here|channel|all\b)/gi, '@\u200b');
}
