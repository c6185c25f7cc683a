import { type RawBuilder, sql } from 'kysely';

/** The condition for items without a holder that nobody has finished or skipped. */
export function untouched(now: number): RawBuilder<boolean> {
  return sql<boolean>`(holder IS NULL OR lease_until <= ${now}) AND NOT EXISTS (SELECT 1 FROM queue_hands AS hands
    WHERE hands.number = queue_items.number AND hands.queue_id = queue_items.queue_id
      AND hands.state IN ('done', 'skipped'))`;
}
