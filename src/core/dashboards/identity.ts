import type { CardContent } from './schema.ts';

/**
 * The identity of a card within its agent: the caller's idempotency key, or else type, event,
 * aggregation and property. The event of a funnel is the list of its steps' events.
 */
export function identityOf(content: CardContent, idempotencyKey: string | null): string {
  if (idempotencyKey !== null) return JSON.stringify({ idempotencyKey });
  const { cardType, config } = content;
  if (cardType === 'funnel') return JSON.stringify({ cardType, eventName: config.steps.map((step) => step.eventName) });
  const { aggregation = '', propertyKey = '' } = config as { aggregation?: string; propertyKey?: string };
  return JSON.stringify({ cardType, eventName: config.eventName, aggregation, propertyKey });
}
