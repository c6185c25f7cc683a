import { createHash } from 'node:crypto';
import type { CardContent } from './config-schema.ts';

/** Every database can index it. */
const MAX_LENGTH = 500;

/** Unique within tenant and agent: two cards with one identity are the same card. */
export function identityOf(content: CardContent, idempotencyKey: string | null): string {
  return shortIdentity(identityText(content, idempotencyKey));
}

/** Its digest if it is long. */
export function shortIdentity(identity: string): string {
  return identity.length <= MAX_LENGTH ? identity : createHash('sha256').update(identity).digest('hex');
}

function identityText(content: CardContent, idempotencyKey: string | null): string {
  if (idempotencyKey !== null) return JSON.stringify({ idempotencyKey });
  const { cardType, config } = content;
  if (cardType === 'funnel') return JSON.stringify({ cardType, eventName: config.steps.map((step) => step.eventName) });
  const { metric, aggregation = '', propertyKey = '' } = config as Partial<Record<string, string>>;
  const returned =
    cardType === 'table' && config.mode === 'retention' ? (config.returned?.eventName ?? config.eventName) : undefined;
  return JSON.stringify({ cardType, metric, eventName: config.eventName, aggregation, propertyKey, returned });
}
