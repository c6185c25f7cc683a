import type { CardContent } from './schema.ts';

/**
 * What makes two cards of an agent one: the key that the caller gave, or else event, type, aggregation and property, with
 * absent members as empty. A funnel's event is all of its steps' events.
 */
export function identityOf(content: CardContent, idempotencyKey: string | null): string {
  if (idempotencyKey !== null) return JSON.stringify({ idempotencyKey });
  const { cardType, config } = content;
  if (cardType === 'funnel') return JSON.stringify({ cardType, eventName: config.steps.map((step) => step.eventName) });
  const { aggregation = '', propertyKey = '' } = config as { aggregation?: string; propertyKey?: string };
  return JSON.stringify({ cardType, eventName: config.eventName, aggregation, propertyKey });
}
