import type { CardContent } from './schema.ts';

/** Unique within tenant and agent: two cards with one identity are the same card. */
export function identityOf(content: CardContent, idempotencyKey: string | null): string {
  if (idempotencyKey !== null) return JSON.stringify({ idempotencyKey });
  const { cardType, config } = content;
  if (cardType === 'funnel') return JSON.stringify({ cardType, eventName: config.steps.map((step) => step.eventName) });
  const { aggregation = '', propertyKey = '' } = config as { aggregation?: string; propertyKey?: string };
  return JSON.stringify({ cardType, eventName: config.eventName, aggregation, propertyKey });
}
