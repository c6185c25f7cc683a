import { createHmac } from 'node:crypto';
import { formatUtc } from '../core/base/time/time.ts';
import type { Message } from '../core/watch/deliveries/message.ts';
import type { SendOutcome } from '../core/watch/deliveries/sender.ts';
import type { Target } from '../core/watch/deliveries/targets.ts';
import { type PostContext, post } from './post.ts';

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
